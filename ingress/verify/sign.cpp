#include "ingress/verify/sign.hpp"

#include <algorithm>

#include "common/crypto/encoding.hpp"
#include "common/crypto/hmac.hpp"
#include "common/error.hpp"
#include "ingress/verify/candidate.hpp"
#include "ingress/verify/program.hpp"
#include "ingress/verify/signed_text.hpp"

namespace sluice::verify {

namespace {

/// What a provider would put into each slot: the time where time belongs, and in any other header
/// or pair something that depends on the body only (ids of messages stay over redeliveries).
std::vector<std::string> slot_texts(const Program& program, std::string_view body, WallTime now) {
    const std::string id = "msg_" + crypto::to_hex(crypto::sha256(body)).substr(0, 24);
    std::vector<std::string> texts(program.first_pair_slot() + program.pairs.size(), id);
    if (program.has_timestamp()) {
        texts[program.timestamp_slot] =
            std::to_string(std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count());
    }
    return texts;
}

std::string signature_header(const Program& program, const std::vector<std::string>& texts,
                             const std::string& signature) {
    const SignatureRule& rule = program.signature;
    if (rule.container != Container::pairs) return rule.prefix + signature;
    std::string header;
    for (std::size_t i = 0; i < program.pairs.size(); ++i) {
        header += program.pairs[i] + rule.assign + texts[program.first_pair_slot() + i] + rule.separator;
    }
    return header + rule.pair + rule.assign + signature;
}

}  // namespace

Result<std::vector<std::pair<std::string, std::string>>> sign(const Source& source, std::string_view body,
                                                              WallTime now) {
    const Program& program = *source.program;
    const auto key = std::ranges::find_if(program.keys, [&](const Key& k) { return k.is_live(now); });
    if (key == program.keys.end()) return Failure{errc::unavailable};

    const auto texts = slot_texts(program, body, now);
    SignedInputs inputs;
    std::ranges::copy(texts, inputs.slots.begin());
    inputs.slots[Program::body_slot] = body;
    const crypto::Digest digest = crypto::HmacSha256(key->material)(SignedText(program, inputs).pieces());

    std::vector<std::pair<std::string, std::string>> headers;
    const std::string signature = text_of(digest, program.signature.encoding);
    headers.emplace_back(program.headers.front(), signature_header(program, texts, signature));
    for (std::size_t i = 1; i < program.headers.size(); ++i)
        headers.emplace_back(program.headers[i], texts[1 + i]);
    return headers;
}

}  // namespace sluice::verify
