#include "common/webhook/signature/verify.hpp"

#include <algorithm>
#include <span>

#include "common/error.hpp"
#include "common/webhook/extract/items.hpp"
#include "common/webhook/recipe/program.hpp"
#include "common/webhook/recipe/time_window.hpp"
#include "common/webhook/signature/candidate.hpp"
#include "common/webhook/signature/refusal_detail.hpp"
#include "common/webhook/signature/scratch.hpp"
#include "common/webhook/signature/signed_inputs.hpp"
#include "common/webhook/signature/signed_text.hpp"

namespace sluice::webhook {

namespace {

using Verdict = std::expected<std::string_view, Finding>;  // the id of the key that signed

Checked check_window(const Program& program, Scratch::State& state, WallTime now) {
    state.signed_ago.reset();
    if (!program.has_timestamp()) return {};
    const SignedInputs& inputs = state.inputs;
    const std::string_view header = program.name_of_slot(program.timestamp_slot);
    const auto signed_at = timestamp_from(inputs.slots[program.timestamp_slot], program.unit);
    if (!signed_at) return std::unexpected(Finding{Check::timestamp_grammar, header});
    // Redeliveries keep the first one's time where there is no window, which says nothing of clocks.
    if (!program.window) return {};
    const TimeWindow& window = *program.window;
    const auto age = age_of(*signed_at, now);
    state.signed_ago = age;
    const auto is_beyond = [&](std::chrono::milliseconds distance, std::chrono::seconds end) {
        return distance > end || (!window.ends_are_inside && distance == end);
    };
    const auto in_seconds = [](auto distance) {
        return std::chrono::ceil<std::chrono::seconds>(distance).count();
    };
    if (is_beyond(age, window.past)) return std::unexpected(Finding{Check::too_old, header, in_seconds(age)});
    if (is_beyond(-age, window.future))
        return std::unexpected(Finding{Check::too_new, header, in_seconds(-age)});
    return {};
}

bool can_be_of_some_key(const Program& program, const Signature& signature) {
    return program.keys.empty() || std::ranges::any_of(program.keys, [&](const Key& key) {
               const bool fits = key.signature_size == 0 ? is_size_of(key.algorithm, signature.size)
                                                         : key.signature_size == signature.size;
               return key.label == signature.label && fits;
           });
}

/// Whether this key may have signed, going by the id that the request names.
bool is_meant(const Program& program, const SignedInputs& inputs, const Key& key) {
    if (program.signature.is_by_key()) {
        const auto candidates = std::span(inputs.candidates).first(inputs.candidate_count);
        return std::ranges::contains(candidates, key.label, &Candidate::label);
    }
    return program.key_id_slot == Program::no_slot || inputs.slots[program.key_id_slot] == key.id;
}

/// How many signatures of public keys there are to check. Each costs as much as a hundred HMACs, and a client
/// that sends eight of them in one header has paid for none.
std::size_t public_checks(const Program& program, const SignedInputs& inputs, const Signatures& signatures) {
    std::size_t checks = 0;
    for (const Key& key : program.keys) {
        if (!is_public(key) || !is_meant(program, inputs, key)) continue;
        checks += static_cast<std::size_t>(std::ranges::count_if(
            signatures.span(), [&](const Signature& one) { return one.label == key.label; }));
    }
    return checks;
}

Checked decode_candidates(const Program& program, const SignedInputs& inputs, Signatures& signatures) {
    signatures.count = 0;
    const std::string_view header = program.name_of_slot(Program::signature_slot);
    const auto found = static_cast<std::int64_t>(inputs.candidate_count);
    if (inputs.candidate_count == 0) return std::unexpected(Finding{Check::no_signature, header});
    if (inputs.candidate_count > program.signature.most)
        return std::unexpected(Finding{Check::too_many_signatures, header, found});
    for (const Candidate& candidate : std::span(inputs.candidates).first(inputs.candidate_count)) {
        Signature& signature = signatures.all[signatures.count];
        signature.label = candidate.label;
        if (!decode_signature(candidate.text, program.signature.encoding, signature)) continue;
        if (can_be_of_some_key(program, signature)) ++signatures.count;
    }
    if (signatures.count == 0) return std::unexpected(Finding{Check::signature_encoding, header, found});
    if (public_checks(program, inputs, signatures) > most_public_checks)
        return std::unexpected(Finding{Check::too_many_signatures, header, found});
    return {};
}

bool signed_by(KeyCheck& key, const Program& program, Scratch::State& state) {
    bool any = false;
    for (const auto& reading : program.readings) {
        state.text.read(reading, state.inputs);
        any |= key.made_any(state.text.pieces(), state.signatures.span());
    }
    return any;
}

/// The key that signed. Every live key that is meant is tried, also after one that matched.
Verdict matching_key(const Program& program, WallTime now, Scratch::State& state) {
    auto& checks = state.checks_of(program);
    const Key* found = nullptr;
    std::size_t meant = 0;
    std::size_t live = 0;
    for (std::size_t i = 0; i < program.keys.size(); ++i) {
        const Key& key = program.keys[i];
        if (!is_meant(program, state.inputs, key)) continue;
        ++meant;
        if (!key.is_live(now)) continue;
        ++live;
        if (signed_by(checks[i], program, state) && found == nullptr) found = &key;
    }
    if (meant == 0 && program.key_id_slot != Program::no_slot) {
        return std::unexpected(Finding{Check::unknown_key, program.name_of_slot(program.key_id_slot)});
    }
    const std::string_view header = program.name_of_slot(Program::signature_slot);
    if (live == 0) return std::unexpected(Finding{Check::no_live_key, header});
    if (found == nullptr) {
        return std::unexpected(Finding{Check::signature_mismatch, header, static_cast<std::int64_t>(live)});
    }
    return std::string_view{found->id};
}

/// The same where the key comes with the message. It has no id: the message's own record names it.
Verdict certificate_signed(const Program& program, WallTime now, Scratch::State& state) {
    const std::string_view header = program.name_of_slot(Program::signature_slot);
    const CertificateTrust& trust = *program.certificate;
    CertificateKey* const found =
        state.certificates_of(program).find(trust, state.inputs.slots[trust.slot], now);
    if (found == nullptr)
        return std::unexpected(Finding{Check::certificate, program.name_of_slot(trust.slot)});
    const Signature& signature = state.signatures.all.front();
    if (signature.size != found->signature_size)
        return std::unexpected(Finding{Check::signature_encoding, header, 1});
    bool any = false;
    for (const auto& reading : program.readings) {
        state.text.read(reading, state.inputs);
        any |= found->key.made_rsa_sha256(state.text.pieces(), signature.text());
    }
    if (!any) return std::unexpected(Finding{Check::signature_mismatch, header, 1});
    return std::string_view{};
}

/// The message says whom it is for; the provider's signature says only that it comes from the provider.
Checked check_bound(const Program& program, const SignedInputs& inputs) {
    for (const FixedSlot& one : program.bound) {
        const bool is_left_out = program.input_of(one.slot).optional && !inputs.has(one.slot);
        if (!is_left_out && inputs.slots[one.slot] != one.text)
            return std::unexpected(Finding{Check::not_bound, program.name_of_slot(one.slot)});
    }
    return {};
}

Verdict check_one(const Program& program, const Request& request, const JsonView* item, WallTime now,
                  Scratch::State& state) {
    SignedInputs& inputs = state.inputs;
    if (const auto collected = collect(program, request, state.form, inputs, item); !collected)
        return std::unexpected(collected.error());
    if (const auto in_time = check_window(program, state, now); !in_time)
        return std::unexpected(in_time.error());
    if (const auto decoded = decode_candidates(program, inputs, state.signatures); !decoded)
        return std::unexpected(decoded.error());
    const Verdict key =
        program.certificate ? certificate_signed(program, now, state) : matching_key(program, now, state);
    if (!key) return key;
    if (const auto bound = check_bound(program, inputs); !bound) return std::unexpected(bound.error());
    return key;
}

Finding finding_of(std::error_code error, const ItemsRule& rule) {
    const Check check = error == errc::missing_pointer ? Check::missing_field
                        : error == errc::duplicate_key ? Check::repeated_field
                                                       : Check::body_grammar;
    return {check, rule.at.text()};
}

/// Every item of a delivery, each by its own signature; none is let through alone. The key is the first
/// item's.
Verdict check_each(const Program& program, const Request& request, WallTime now, Scratch::State& state) {
    const ItemsRule& rule = *program.extraction.items;
    if (!state.delivery.read(request.body)) return std::unexpected(Finding{Check::body_grammar, "body"});
    const auto items = items_in(rule, state.delivery, state.item);
    if (!items) return std::unexpected(finding_of(items.error(), rule));
    if (items->empty()) return std::unexpected(Finding{Check::no_signature, rule.at.text()});
    std::optional<std::string_view> first;
    for (const std::string_view item : *items) {
        if (!state.item.read_padded(item)) return std::unexpected(Finding{Check::body_grammar, "body"});
        const auto key = check_one(program, request, &state.item, now, state);
        if (!key) return key;
        if (!first) first = *key;
    }
    return *first;
}

Verdict check(const Program& program, const Request& request, WallTime now, Scratch::State& state) {
    const auto& items = program.extraction.items;
    if (items && items->each_signed) return check_each(program, request, now, state);
    return check_one(program, request, nullptr, now, state);
}

std::optional<std::size_t> number_of(const Program& program, std::string_view key_id) {
    const auto found =
        std::ranges::find_if(program.keys, [&](const Key& key) { return key.id.data() == key_id.data(); });
    if (found == program.keys.end()) return std::nullopt;
    return static_cast<std::size_t>(found - program.keys.begin());
}

}  // namespace

std::expected<Authentic, Refusal> verify(const Source& source, const Request& request, WallTime now,
                                         Scratch& scratch, bool explain) {
    const Program& program = *source.program;
    const auto key = check(program, request, now, scratch.state());
    if (key) return Authentic{*key, number_of(program, *key), scratch.state().signed_ago};
    const Finding& finding = key.error();
    return std::unexpected(
        Refusal{finding.check, finding.header, explain ? detail_of(finding, program) : std::string{}});
}

}  // namespace sluice::webhook
