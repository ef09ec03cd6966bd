#include "tests/bench/floor/webhook.hpp"

#include <charconv>
#include <chrono>
#include <cstdlib>

#include <openssl/crypto.h>

namespace sluice::bench {
namespace {

constexpr std::int64_t window = 300;  // seconds

std::string_view part(std::string_view header, std::string_view name) {
    const std::size_t begin = header.find(name);
    if (begin == std::string_view::npos) return {};
    const std::string_view rest = header.substr(begin + name.size());
    return rest.substr(0, rest.find(','));
}

int nibble(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return -1;
}

std::optional<Signature::Bytes> decoded(std::string_view hex) {
    Signature::Bytes bytes{};
    if (hex.size() != 2 * bytes.size()) return std::nullopt;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const int high = nibble(hex[2 * i]);
        const int low = nibble(hex[2 * i + 1]);
        if (high < 0 || low < 0) return std::nullopt;
        bytes[i] = static_cast<unsigned char>(high * 16 + low);
    }
    return bytes;
}

std::int64_t unix_now() {
    using std::chrono::system_clock;
    return std::chrono::duration_cast<std::chrono::seconds>(system_clock::now().time_since_epoch()).count();
}

}  // namespace

bool Reader::is_authentic(const Request& request) {
    const std::string_view time = part(request.signature, "t=");
    std::int64_t seconds = 0;
    std::from_chars(time.data(), time.data() + time.size(), seconds);
    if (std::llabs(unix_now() - seconds) > window) return false;
    const auto theirs = decoded(part(request.signature, "v1="));
    if (!theirs) return false;
    const Signature::Bytes ours = signature_(time, request.body);
    return CRYPTO_memcmp(ours.data(), theirs->data(), ours.size()) == 0;
}

std::optional<Webhook> Reader::read(const Request& request) {
    simdjson::dom::element document;
    if (parser_.parse(request.body.data(), request.body.size(), false).get(document) != simdjson::SUCCESS)
        return std::nullopt;
    std::string_view id;
    std::string_view object;
    if (document["id"].get(id) != simdjson::SUCCESS ||
        document["data"]["object"]["id"].get(object) != simdjson::SUCCESS)
        return std::nullopt;
    return Webhook{std::string{id}, std::string{object}};
}

}  // namespace sluice::bench
