// The signature header. Each line of the input is one header of the request: lines that begin with '!'
// are some other header, all others are values of Stripe-Signature. Bytes that no header may hold stand
// for what a fuzzer cannot guess: \x01 the time now, \x02 \x03 \x04 the body's signature now by the
// first, the second and an expired key, \x05 the first key's at the last second of the window, \x06 that
// of the second before. Promises, for any headers:
//   - the verdict is exactly that of a reader that was written apart (one header, one t, at most eight
//     v1, both ends of the window, some live key's HMAC of "t.body"), check by check, and the key is the
//     first that matches;
//   - explaining does not change it, and no sentence holds a signature or a secret.
#include <cstdlib>
#include <string>
#include <vector>

#include "common/crypto/encoding.hpp"
#include "common/crypto/hmac.hpp"
#include "common/webhook/signature/verify.hpp"
#include "tests/fuzz/signature/reference.hpp"
#include "tests/fuzz/support/input.hpp"
#include "tests/fuzz/support/require.hpp"

namespace sluice::fuzz {
namespace {

constexpr std::int64_t now = 1'795'258'000;
constexpr std::string_view body = R"({"id":"evt_1"})";
const std::vector<SigningKey> keys{
    {"first", "whsec_first", true}, {"second", "whsec_second", true}, {"expired", "whsec_expired", false}};

webhook::SourceSet make_sources() {
    std::string list;
    for (const SigningKey& key : keys) {
        ::setenv(("SLUICE_FUZZ_" + key.id).c_str(), key.secret.c_str(), 1);
        list += "{id: " + key.id + ", value: {env: SLUICE_FUZZ_" + key.id + "}" +
                (key.live ? "" : ", not_after: 2020-01-01T00:00:00Z") + "},";
    }
    config::Problems problems;
    const auto document = config::Document::from_text(
        "sources: [{name: eu, principal: eu, recipe: stripe, keys: [" + list + "]}]", "fuzz.yaml", problems);
    auto sources = webhook::read_sources(document, problems);
    require(!problems.any(), "the target's own configuration is right", problems.report());
    return sources;
}

/// The magic bytes written out.
std::string written_out(std::string_view line) {
    static const std::vector<std::string> texts{std::to_string(now),
                                                signature_by(keys[0], now, body),
                                                signature_by(keys[1], now, body),
                                                signature_by(keys[2], now, body),
                                                signature_by(keys[0], now - 300, body),
                                                signature_by(keys[0], now - 301, body)};
    std::string text;
    for (const char c : line) {
        const auto which = static_cast<std::size_t>(static_cast<unsigned char>(c)) - 1;
        if (which < texts.size())
            text += texts[which];
        else
            text += c;
    }
    return text;
}

void try_headers(std::string_view input) {
    static const webhook::SourceSet sources = make_sources();
    static webhook::Scratch scratch;
    std::vector<std::string> texts;
    for (const std::string_view line : parts_of(input, '\n')) texts.push_back(written_out(line));
    std::vector<webhook::HeaderField> fields;
    std::vector<std::string_view> values;
    for (const std::string_view text : texts) {
        const bool other = text.starts_with('!');
        fields.push_back(
            {other ? "X-Other" : (fields.size() % 2 == 0 ? "Stripe-Signature" : "stripe-signature"), text});
        if (!other) values.push_back(text);
    }
    const webhook::Request request{"POST", "/", fields, body};
    const WallTime instant{std::chrono::seconds{now} + std::chrono::microseconds{999'999}};
    const auto verdict = webhook::verify(*sources.front(), request, instant, scratch);
    const std::string said =
        verdict ? "key " + std::string{verdict->key_id} : std::string{name_of(verdict.error().check)};
    const std::string expected = expected_verdict(values, keys, now, body);
    require(said == expected, "the verdict is the reference's", said + ", and not " + expected);

    const auto explained = webhook::verify(*sources.front(), request, instant, scratch, true);
    require(explained.has_value() == verdict.has_value(), "explaining changes nothing");
    if (explained) return;
    require(explained.error().check == verdict.error().check, "explaining changes nothing");
    const std::string sentence = explained.error().sentence();
    for (const SigningKey& key : keys)
        require(!sentence.contains(key.secret) && !sentence.contains(signature_by(key, now, body)),
                "no sentence holds a secret", sentence);
}

}  // namespace
}  // namespace sluice::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    sluice::fuzz::try_headers(sluice::fuzz::text_of(data, size));
    return 0;
}
