#include "ingress/dedup/claim_protocol.hpp"

#include <algorithm>
#include <format>

#include "common/crypto/encoding.hpp"

namespace sluice::dedup {
namespace {

constexpr std::string_view pending = "P:";
constexpr std::string_view durable = "D:";

bool is_token(std::string_view text) {
    const auto allowed = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '-'; };
    return !text.empty() && std::ranges::all_of(text, allowed);
}

}  // namespace

std::string_view name_of(Claim claim) noexcept {
    switch (claim) {
        case Claim::fresh:
            return "fresh";
        case Claim::duplicate:
            return "duplicate";
        case Claim::conflict:
            return "conflict";
        case Claim::busy:
            return "busy";
        case Claim::unavailable:
            break;
    }
    return "unavailable";
}

Step ClaimProtocol::claimed(const Reply& reply) {
    return read(reply, Claim::fresh);
}

// A marker that disappeared says nothing about what became of its claimant.
Step ClaimProtocol::looked(const Reply& reply) {
    return read(reply, Claim::busy);
}

Step ClaimProtocol::read(const Reply& reply, Claim when_nil) {
    switch (reply.kind) {
        case Reply::Kind::nil:
            return {.look_again_after = {}, .claim = when_nil};
        case Reply::Kind::text:
            return read_marker(reply.text.view());
        case Reply::Kind::status:
        case Reply::Kind::odd:
            return {.look_again_after = {}, .distrust_connection = true};
        case Reply::Kind::error:
        case Reply::Kind::none:
            break;
    }
    return {};
}

Step ClaimProtocol::read_marker(std::string_view text) {
    if (text.starts_with(durable)) {
        const auto mark = crypto::digest_from_hex(text.substr(durable.size()));
        if (!mark) return {.look_again_after = {}, .distrust_connection = true};
        return {.look_again_after = {}, .claim = *mark == mark_ ? Claim::duplicate : Claim::conflict};
    }
    if (!text.starts_with(pending) || !is_token(text.substr(pending.size())))
        return {.look_again_after = {}, .distrust_connection = true};
    if (looks_done_ == looks.size()) return {.look_again_after = {}, .claim = Claim::busy};
    const auto before = looks_done_ == 0 ? std::chrono::milliseconds{0} : looks[looks_done_ - 1];
    return {.look_again_after = looks[looks_done_++] - before};
}

std::string pending_marker(std::string_view token) {
    return std::format("{}{}", pending, token);
}

std::string durable_marker(std::string_view mark_in_hex) {
    return std::format("{}{}", durable, mark_in_hex);
}

}  // namespace sluice::dedup
