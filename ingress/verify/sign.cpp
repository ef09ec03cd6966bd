#include "ingress/verify/sign.hpp"

#include <algorithm>
#include <span>

#include "common/crypto/encoding.hpp"
#include "common/crypto/hmac.hpp"
#include "common/error.hpp"
#include "ingress/verify/candidate.hpp"
#include "ingress/verify/own_text.hpp"
#include "ingress/verify/program.hpp"
#include "ingress/verify/signed_text.hpp"

namespace sluice::verify {

namespace {

/// What a provider would put into each slot: the time where time belongs, the key's id where that
/// belongs, and anywhere else something that depends on the body only (ids of messages stay over
/// redeliveries).
std::vector<std::string> slot_texts(const Program& program, const Key& key, std::string_view body,
                                    WallTime now) {
    const std::string id = "msg_" + crypto::to_hex(crypto::sha256(body)).substr(0, 24);
    std::vector<std::string> texts(1 + program.inputs.size(), id);
    if (program.has_timestamp()) {
        const auto seconds = std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count();
        texts[program.timestamp_slot] =
            std::to_string(seconds) + (program.unit == TimeUnit::milliseconds ? "000" : "");
    }
    if (program.key_id_slot != Program::no_slot) texts[program.key_id_slot] = key.id;
    for (const FixedSlot& one : program.pinned) texts[one.slot] = one.text;
    return texts;
}

std::string signature_header(const Program& program, const std::vector<std::string>& texts,
                             const std::string& label, const std::string& signature) {
    const SignatureRule& rule = program.signature;
    if (rule.container == Container::labelled) return label + rule.assign + signature;
    if (rule.container != Container::pairs) return rule.prefix + signature;
    std::string header;
    for (std::size_t i = program.first_pair; i < program.inputs.size(); ++i) {
        header += program.inputs[i].names.front() + rule.assign + texts[1 + i] + rule.separator;
    }
    return header + rule.pair + rule.assign + signature;
}

/// Only what shares its key with us can be signed by us.
Result<std::string> signature_of(const Key& key, std::span<const std::string_view> text) {
    switch (key.algorithm) {
        case Algorithm::hmac_sha256:
            return std::string{crypto::as_text(crypto::HmacSha256(key.material)(text))};
        case Algorithm::hmac_sha1:
            return std::string{crypto::as_text(crypto::HmacSha1(key.material)(text))};
        case Algorithm::equal:
            return std::string{key.material.bytes()};
        case Algorithm::rsa_sha256:
        case Algorithm::ed25519:
            break;
    }
    return Failure{errc::unavailable};
}

}  // namespace

Result<std::vector<std::pair<std::string, std::string>>> sign(const Source& source, std::string_view body,
                                                              WallTime now) {
    const Program& program = *source.program;
    const auto key = std::ranges::find_if(program.keys, [&](const Key& k) { return k.is_live(now); });
    if (key == program.keys.end() || program.reads_form) return Failure{errc::unavailable};

    const auto texts = slot_texts(program, *key, body, now);
    SignedInputs inputs;
    std::ranges::copy(texts, inputs.slots.begin());
    inputs.slots[Program::body_slot] = body;
    for (std::size_t i = 0; i < program.inputs.size(); ++i) {
        const Input& input = program.inputs[i];
        if (input.from == Input::From::crc32) inputs.slots[1 + i] = own_crc32(inputs, body);
        if (input.from == Input::From::item) return Failure{errc::unavailable};
        if (input.from != Input::From::query) continue;
        if (!input.optional) return Failure{errc::unavailable};
        inputs.slots[1 + i] = {};
    }
    const auto signature = signature_of(*key, SignedText(program.readings.front(), inputs).pieces());
    if (!signature) return Failure{signature.error()};

    std::vector<std::pair<std::string, std::string>> headers;
    const std::string text = text_of(*signature, program.signature.encoding);
    headers.emplace_back(program.inputs.front().names.front(),
                         signature_header(program, texts, key->label, text));
    for (std::size_t i = 1; i < program.first_pair; ++i) {
        const Input& input = program.inputs[i];
        if (input.from == Input::From::header) headers.emplace_back(input.names.front(), texts[1 + i]);
    }
    return headers;
}

}  // namespace sluice::verify
