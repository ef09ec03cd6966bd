#include "consumer/command/signature.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "common/crypto/encoding.hpp"
#include "common/crypto/hmac.hpp"

namespace sluice::command {
namespace {

constexpr std::string_view command_purpose = "sluice command 1";
constexpr std::string_view proposal_purpose = "sluice proposal 1";
constexpr std::string_view approval_purpose = "sluice approval 1";
constexpr std::size_t longest_key_id = 64;
constexpr char behind_key_id = ':';

constexpr std::array<std::pair<Doubt, std::string_view>, doubts.size()> doubt_names{{
    {Doubt::not_signed, "not_signed"},
    {Doubt::unknown_key, "unknown_key"},
    {Doubt::forged, "forged"},
    {Doubt::other_operator, "other_operator"},
    {Doubt::not_approved, "not_approved"},
    {Doubt::one_operator, "one_operator"},
}};

bool is_key_id_letter(char c) noexcept {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' ||
           c == '_' || c == '-';
}

/// Behind its length, so that no part can slide into the next one.
void add_part(std::string& message, std::string_view part) {
    for (int shift = 56; shift >= 0; shift -= 8) message += static_cast<char>(part.size() >> shift & 0xFFU);
    message += part;
}

crypto::Digest mac_of(const Statement& statement, const Place& place, const OperatorKey& key) {
    std::string message;
    for (const std::string_view part : {statement.purpose, std::string_view{key.id},
                                        std::string_view{place.topic_id}, std::string_view{place.group}})
        add_part(message, part);
    for (const std::string_view part : statement.parts) add_part(message, part);
    crypto::HmacSha256 hmac{key.secret};
    const std::string_view whole = message;
    return hmac({&whole, 1});
}

}  // namespace

std::string_view name_of(Doubt doubt) noexcept {
    return std::ranges::find(doubt_names, doubt, &std::pair<Doubt, std::string_view>::first)->second;
}

bool is_key_id(std::string_view text) noexcept {
    return !text.empty() && text.size() <= longest_key_id && std::ranges::all_of(text, is_key_id_letter);
}

Statement command_of(std::string_view record_key, std::string_view value) {
    return {.purpose = command_purpose, .parts = {record_key, value}};
}

Statement proposal_of(std::string_view record_key, std::string_view value) {
    return {.purpose = proposal_purpose, .parts = {record_key, value}};
}

Statement approval_of(std::string_view record_key, std::string_view value, std::string_view proposal,
                      std::string_view approval) {
    return {.purpose = approval_purpose, .parts = {record_key, value, proposal, approval}};
}

std::string sign(const Statement& statement, const Place& place, const OperatorKey& key) {
    return key.id + behind_key_id + crypto::to_hex(mac_of(statement, place, key));
}

std::expected<const OperatorKey*, Doubt> signer_of(std::string_view signature, const Statement& statement,
                                                   const Place& place, std::span<const OperatorKey> keys) {
    const auto end = signature.find(behind_key_id);
    if (end == std::string_view::npos) return std::unexpected{Doubt::not_signed};
    const auto mac = crypto::digest_from_hex(signature.substr(end + 1));
    if (!mac) return std::unexpected{Doubt::not_signed};
    const auto key = std::ranges::find(keys, signature.substr(0, end), &OperatorKey::id);
    if (key == keys.end()) return std::unexpected{Doubt::unknown_key};
    const auto expected = mac_of(statement, place, *key);
    if (!crypto::equal_constant_time(crypto::as_text(expected), crypto::as_text(*mac)))
        return std::unexpected{Doubt::forged};
    return &*key;
}

bool may_sign_as(const OperatorKey& key, std::string_view operator_name) noexcept {
    return key.operator_name.empty() || key.operator_name == operator_name;
}

bool are_two_operators(const OperatorKey& one, const OperatorKey& other) noexcept {
    return one.id != other.id && !one.operator_name.empty() && !other.operator_name.empty() &&
           one.operator_name != other.operator_name;
}

}  // namespace sluice::command
