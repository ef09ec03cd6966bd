#include "tests/fuzz/signature/reference.hpp"

#include <openssl/hmac.h>

#include <algorithm>
#include <format>

#include "tests/fuzz/support/input.hpp"

namespace sluice::fuzz {
namespace {

constexpr std::int64_t window = 300;
constexpr std::size_t longest_header = 1024;
constexpr std::size_t most_signatures = 8;

bool is_digits(std::string_view text, std::string_view alphabet) {
    return text.find_first_not_of(alphabet) == text.npos;
}

std::string hmac_hex(const std::string& secret, const std::string& text) {
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned int size = 0;
    HMAC(EVP_sha256(), secret.data(), static_cast<int>(secret.size()),
         reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest, &size);
    std::string hex;
    for (unsigned int i = 0; i < size; ++i) hex += std::format("{:02x}", digest[i]);
    return hex;
}

/// All values of one name, in order.
std::vector<std::string_view> values_of(std::string_view header, std::string_view name) {
    std::vector<std::string_view> values;
    for (const std::string_view element : parts_of(header, ','))
        if (element.substr(0, element.find('=')) == name && element.contains('='))
            values.push_back(element.substr(name.size() + 1));
    return values;
}

std::string judge_time(std::string_view text, std::int64_t now) {
    const bool has_zero_in_front = text.size() > 1 && text.front() == '0';
    if (text.empty() || text.size() > 12 || has_zero_in_front || !is_digits(text, "0123456789"))
        return "timestamp_grammar";
    const std::int64_t age = now - std::stoll(std::string{text});
    if (age > window) return "too_old";
    return age < -window ? "too_new" : "";
}

}  // namespace

std::string signature_by(const SigningKey& key, std::int64_t t, std::string_view body) {
    return hmac_hex(key.secret, std::to_string(t) + "." + std::string{body});
}

std::string expected_verdict(std::span<const std::string_view> headers, std::span<const SigningKey> keys,
                             std::int64_t now, std::string_view body) {
    if (headers.empty()) return "missing_header";
    if (headers.size() > 1) return "repeated_header";
    const std::string_view header = headers.front();
    if (header.size() > longest_header) return "header_too_long";
    if (!header.contains('=')) return "header_grammar";
    const auto times = values_of(header, "t");
    if (times.size() != 1) return times.empty() ? "missing_timestamp" : "repeated_timestamp";
    if (const std::string wrong = judge_time(times.front(), now); !wrong.empty()) return wrong;
    auto signatures = values_of(header, "v1");
    if (signatures.empty()) return "no_signature";
    if (signatures.size() > most_signatures) return "too_many_signatures";
    std::erase_if(signatures,
                  [](auto text) { return text.size() != 64 || !is_digits(text, "0123456789abcdef"); });
    if (signatures.empty()) return "signature_encoding";
    const std::string text = std::string{times.front()} + "." + std::string{body};
    for (const SigningKey& key : keys)
        if (key.live && std::ranges::contains(signatures, std::string_view{hmac_hex(key.secret, text)}))
            return "key " + key.id;
    return "signature_mismatch";
}

}  // namespace sluice::fuzz
