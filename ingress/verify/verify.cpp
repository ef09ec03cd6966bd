#include "ingress/verify/verify.hpp"

#include <span>

#include "common/crypto/digest.hpp"
#include "ingress/verify/candidate.hpp"
#include "ingress/verify/program.hpp"
#include "ingress/verify/refusal_detail.hpp"
#include "ingress/verify/scratch.hpp"
#include "ingress/verify/signed_inputs.hpp"
#include "ingress/verify/signed_text.hpp"
#include "ingress/verify/time_window.hpp"

namespace sluice::verify {

namespace {

std::string_view timestamp_header(const Program& program) {
    const bool is_header = program.timestamp_slot < program.first_pair_slot();
    return program.headers[is_header ? program.timestamp_slot - 1u : 0u];
}

std::optional<Finding> check_window(const Program& program, const SignedInputs& inputs, WallTime now) {
    if (!program.has_timestamp()) return std::nullopt;
    const std::string_view header = timestamp_header(program);
    const auto timestamp = timestamp_from(inputs.slots[program.timestamp_slot]);
    if (!timestamp) return Finding{Check::timestamp_grammar, header};
    const std::int64_t age = age_of(*timestamp, now);
    if (age > program.past.count()) return Finding{Check::too_old, header, age};
    if (-age > program.future.count()) return Finding{Check::too_new, header, -age};
    return std::nullopt;
}

/// The candidates that can be signatures at all, decoded.
struct Digests {
    std::array<crypto::Digest, most_candidates> of{};
    std::size_t count = 0;
};

std::optional<Finding> decode_candidates(const Program& program, const SignedInputs& inputs,
                                         Digests& digests) {
    const std::string_view header = program.headers.front();
    const auto found = static_cast<std::int64_t>(inputs.candidate_count);
    if (inputs.candidate_count == 0) return Finding{Check::no_signature, header};
    if (inputs.candidate_count > program.signature.most)
        return Finding{Check::too_many_signatures, header, found};
    for (const std::string_view text : std::span(inputs.candidates).first(inputs.candidate_count)) {
        if (const auto digest = candidate_from(text, program.signature.encoding))
            digests.of[digests.count++] = *digest;
    }
    if (digests.count == 0) return Finding{Check::signature_encoding, header, found};
    return std::nullopt;
}

/// Whether any candidate equals what this key gives; all are compared, whatever the first one said.
bool matches(const crypto::Digest& expected, const Digests& digests) {
    bool any = false;
    for (const crypto::Digest& digest : std::span(digests.of).first(digests.count)) {
        any |= crypto::equal_constant_time(crypto::as_text(expected), crypto::as_text(digest));
    }
    return any;
}

/// The key that signed. Every live key is tried, also after one that matched.
std::expected<const Key*, Finding> matching_key(const Program& program, const SignedInputs& inputs,
                                                const Digests& digests, WallTime now, Scratch& scratch) {
    const std::string_view header = program.headers.front();
    auto& contexts = scratch.state().contexts_of(program);
    const SignedText text(program, inputs);
    const Key* found = nullptr;
    std::size_t live = 0;
    for (std::size_t i = 0; i < program.keys.size(); ++i) {
        if (!program.keys[i].is_live(now)) continue;
        ++live;
        if (matches(contexts[i](text.pieces()), digests) && found == nullptr) found = &program.keys[i];
    }
    if (live == 0) return std::unexpected(Finding{Check::no_live_key, header});
    if (found == nullptr) {
        return std::unexpected(Finding{Check::signature_mismatch, header, static_cast<std::int64_t>(live)});
    }
    return found;
}

std::expected<const Key*, Finding> check(const Program& program, const Request& request, WallTime now,
                                         Scratch& scratch) {
    SignedInputs inputs;
    if (const auto finding = collect(program, request, inputs)) return std::unexpected(*finding);
    if (const auto finding = check_window(program, inputs, now)) return std::unexpected(*finding);
    Digests digests;
    if (const auto finding = decode_candidates(program, inputs, digests)) return std::unexpected(*finding);
    return matching_key(program, inputs, digests, now, scratch);
}

}  // namespace

std::expected<Authentic, Refusal> verify(const Source& source, const Request& request, WallTime now,
                                         Scratch& scratch, bool explain) {
    const Program& program = *source.program;
    const auto key = check(program, request, now, scratch);
    if (key) return Authentic{(*key)->id};
    const Finding& finding = key.error();
    return std::unexpected(
        Refusal{finding.check, finding.header, explain ? detail_of(finding, program) : std::string{}});
}

}  // namespace sluice::verify
