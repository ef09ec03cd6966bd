#include <cstring>
#include <memory>
#include <stdexcept>

#include "common/crypto/aead.hpp"
#include "common/crypto/encoding.hpp"
#include "common/crypto/hmac.hpp"
#include "common/webhook/signature/key_check.hpp"
#include "common/webhook/signature/verify.hpp"
#include "tests/bench/constant_time/comparison.hpp"

namespace sluice::bench {
namespace {

using Chance = std::mt19937_64;

constexpr std::string_view secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
constexpr std::string_view signed_text = "1795258000.{\"id\":\"evt_1\"}";
constexpr std::string_view nonce = "nonce of 12 ";
/// "0123456789abcdef" under a key of 32 times 'k', by another implementation (Python's cryptography).
constexpr std::string_view sealed_in_hex =
    "45008ed9be0b272b4a518090a1657471"
    "8cf5fdeaa3cca93152c3dc33a025df83";
constexpr const char* first_or_last = "first byte wrong / last byte wrong";
constexpr const char* right_or_wrong = "right / wrong";

char other_byte(char byte, Chance& chance) {
    return static_cast<char>(byte ^ static_cast<char>(1 + chance() % 255));
}

/// The right bytes but for one, at either end.
std::string spoiled(std::string right, bool at_end, Chance& chance) {
    char& byte = at_end ? right.back() : right.front();
    byte = other_byte(byte, chance);
    return right;
}

/// One key and the one signature that it looks at.
struct Checked {
    explicit Checked(const webhook::Key& key) : check{key} {}

    void set(std::string_view bytes) {
        std::ranges::copy(bytes, signature.bytes.begin());
        signature.size = bytes.size();
    }
    bool operator()() {
        const std::string_view text[] = {signed_text};
        return check.made_any(text, {&signature, 1});
    }

    webhook::KeyCheck check;
    webhook::Signature signature;
};

webhook::Key key_for(webhook::Algorithm algorithm) {
    webhook::Key key;
    key.material = Secret{secret};
    key.algorithm = algorithm;
    return key;
}

std::string signature_by(webhook::Algorithm algorithm) {
    const Secret key{secret};
    const std::string_view text[] = {signed_text};
    if (algorithm == webhook::Algorithm::equal) return std::string{secret};
    if (algorithm == webhook::Algorithm::hmac_sha1)
        return std::string{crypto::as_text(crypto::HmacSha1{key}(text))};
    return std::string{crypto::as_text(crypto::HmacSha256{key}(text))};
}

Comparison by_place(std::string name, webhook::Algorithm algorithm) {
    auto checked = std::make_shared<Checked>(key_for(algorithm));
    return {std::move(name),
            first_or_last,
            false,
            [right = signature_by(algorithm)](bool is_second, Chance& chance) {
                return spoiled(right, is_second, chance);
            },
            [checked](std::string_view input) { checked->set(input); },
            [checked] { return (*checked)(); }};
}

/// Whether it is right must not be seen before it is said. The wrong ones are one and the same, as the right
/// ones are: bytes that stay are read faster than others.
Comparison by_rightness(std::string name, webhook::Algorithm algorithm) {
    auto checked = std::make_shared<Checked>(key_for(algorithm));
    std::string wrong = signature_by(algorithm);
    for (char& byte : wrong) byte = static_cast<char>(byte ^ 0x55);
    return {std::move(name),
            right_or_wrong,
            false,
            [right = signature_by(algorithm), wrong](bool is_second, Chance&) {
                return is_second ? wrong : right;
            },
            [checked](std::string_view input) { checked->set(input); },
            [checked] { return (*checked)(); }};
}

/// A whole verdict on a request of Stripe's.
class Judged {
public:
    Judged() {
        ::setenv("SLUICE_BENCH_KEY", std::string{secret}.c_str(), 1);
        config::Problems problems;
        const auto document = config::Document::from_text(
            "sources: [{name: bench, principal: bench, recipe: stripe, keys: [{id: a, value: {env: "
            "SLUICE_BENCH_KEY}}]}]",
            "bench.yaml", problems);
        sources_ = webhook::read_sources(document, problems);
        if (sources_.size() != 1) throw std::runtime_error{problems.report()};
        right_ = "t=1795258000,v1=" + crypto::to_hex(signature_by(webhook::Algorithm::hmac_sha256));
        header_ = right_;
    }

    [[nodiscard]] std::string spoiled_header(bool at_end) const {
        std::string header = right_;
        char& digit = header[at_end ? header.size() - 1 : header.find("v1=") + 3];
        digit = next_of_its_kind(digit);
        return header;
    }
    void set(std::string_view header) { header_ = header; }
    bool operator()() {
        const webhook::HeaderField fields[] = {{"Stripe-Signature", header_}};
        return webhook::verify(*sources_.front(), {"POST", "/", fields, body}, now, scratch_).has_value();
    }

private:
    static constexpr std::string_view body = R"({"id":"evt_1"})";
    static constexpr WallTime now{std::chrono::seconds{1'795'258'000}};

    /// How digits and letters are decoded is no secret, but need not take the same time.
    static char next_of_its_kind(char digit) {
        if (digit == '9') return '0';
        return digit == 'f' ? 'a' : static_cast<char>(digit + 1);
    }

    webhook::SourceSet sources_;
    webhook::Scratch scratch_;
    std::string right_;
    std::string header_;
};

Comparison whole_verdict() {
    auto judged = std::make_shared<Judged>();
    return {"verify(), Stripe",
            "first digit wrong / last digit wrong",
            false,
            [judged](bool is_second, Chance&) { return judged->spoiled_header(is_second); },
            [judged](std::string_view input) { judged->set(input); },
            [judged] { return (*judged)(); }};
}

Comparison opened_resource() {
    struct Resource {
        Secret key{std::string(crypto::aes_256_key_size, 'k')};
        std::string sealed;
        std::string plain;
    };
    auto resource = std::make_shared<Resource>();
    return {"AES-256-GCM tag",
            first_or_last,
            false,
            [right = crypto::from_hex(sealed_in_hex).value()](bool is_second, Chance& chance) {
                std::string sealed{right};
                char& byte = sealed[sealed.size() - (is_second ? 1 : crypto::gcm_tag_size)];
                byte = other_byte(byte, chance);
                return sealed;
            },
            [resource](std::string_view input) { resource->sealed = input; },
            [resource] {
                return crypto::open_aes_256_gcm(resource->key, {nonce, "", resource->sealed},
                                                resource->plain);
            }};
}

using Compare = bool (*)(const char*, const char*, std::size_t);

[[gnu::noinline]] bool equal_by_byte(const char* a, const char* b, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i)
        if (a[i] != b[i]) return false;
    return true;
}

[[gnu::noinline]] bool equal_by_memcmp(const char* a, const char* b, std::size_t size) {
    return std::memcmp(a, b, size) == 0;
}

/// What the engine does not do. Tokens are longer than the 32 bytes that memcmp looks at in one step.
Comparison early(std::string name, Compare compare, std::size_t size) {
    auto theirs = std::make_shared<std::string>();
    const std::string right(size, 's');
    return {std::move(name),
            first_or_last,
            true,
            [right](bool is_second, Chance& chance) { return spoiled(right, is_second, chance); },
            [theirs](std::string_view input) { *theirs = input; },
            [theirs, right, compare] { return compare(right.data(), theirs->data(), right.size()); }};
}

}  // namespace

std::vector<Comparison> comparisons() {
    using webhook::Algorithm;
    std::vector<Comparison> all;
    all.push_back(by_place("HMAC-SHA256", Algorithm::hmac_sha256));
    all.push_back(by_rightness("HMAC-SHA256", Algorithm::hmac_sha256));
    all.push_back(by_place("HMAC-SHA1", Algorithm::hmac_sha1));
    all.push_back(by_rightness("HMAC-SHA1", Algorithm::hmac_sha1));
    all.push_back(by_place("token", Algorithm::equal));
    all.push_back(by_rightness("token", Algorithm::equal));
    all.push_back(whole_verdict());
    all.push_back(opened_resource());
    all.push_back(early("planted: byte by byte, 32", equal_by_byte, 32));
    all.push_back(early("planted: memcmp, 256", equal_by_memcmp, 256));
    return all;
}

}  // namespace sluice::bench
