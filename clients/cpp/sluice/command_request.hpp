// How a request to sluice-command is addressed and signed (docs/commands.md).
#pragma once

#include <algorithm>
#include <array>
#include <cctype>
#include <format>
#include <stdexcept>
#include <string>
#include <string_view>

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

namespace sluice::client {

/// The value of Idempotency-Key: a string of RFC 8941.
inline std::string key_field(std::string_view key) {
    if (key.empty() || key.size() > 255 || key == "." || key == ".." ||
        !std::ranges::all_of(key, [](char c) { return c >= 0x20 && c < 0x7f; }))
        throw std::invalid_argument{"an idempotency key has 1 to 255 printable ASCII characters"};
    std::string field = "\"";
    for (const char c : key) field += c == '"' || c == '\\' ? std::string{'\\', c} : std::string{c};
    return field + '"';
}

inline std::string path_of(std::string_view command, std::string_view key = "") {
    std::string path = "/v1/commands/";
    const auto add = [&](std::string_view text) {
        for (const unsigned char c : text)
            path += std::isalnum(c) || std::string_view{"-._~"}.find(c) != std::string_view::npos
                        ? std::string(1, static_cast<char>(c))
                        : std::format("%{:02X}", c);
    };
    add(command);
    if (!key.empty()) path += '/';
    add(key);
    return path;
}

inline std::string key_of(std::string_view secret) {
    const std::string text{secret.substr(secret.starts_with("whsec_") ? 6 : secret.size())};
    std::string key(text.size(), '\0');
    const auto* from = reinterpret_cast<const unsigned char*>(text.data());
    const int size =
        EVP_DecodeBlock(reinterpret_cast<unsigned char*>(key.data()), from, static_cast<int>(text.size()));
    if (size <= 0) throw std::invalid_argument{"a caller's secret is whsec_ and base64"};
    key.resize(static_cast<std::size_t>(size) - (text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0));
    return key;
}

/// New for each request.
inline std::string new_id() {
    std::array<unsigned char, 16> bits{};
    if (RAND_bytes(bits.data(), static_cast<int>(bits.size())) != 1)
        throw std::runtime_error{"no random bytes"};
    std::string id = "req_";
    for (const unsigned char byte : bits) id += std::format("{:02x}", byte);
    return id;
}

/// `field` is the value of Idempotency-Key, empty without it; `at` Unix seconds.
inline std::string text_to_sign(std::string_view id, long at, std::string_view method,
                                std::string_view target, std::string_view field, std::string_view body) {
    return std::format("{}.{}.{} {}\n{}\n{}", id, at, method, target, field, body);
}

/// Of Standard Webhooks.
inline std::string signature(std::string_view key, std::string_view text) {
    std::array<unsigned char, 32> mac{};
    HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
         reinterpret_cast<const unsigned char*>(text.data()), text.size(), mac.data(), nullptr);
    std::array<unsigned char, 45> base64{};
    EVP_EncodeBlock(base64.data(), mac.data(), static_cast<int>(mac.size()));
    return "v1," + std::string(base64.begin(), base64.end() - 1);
}

}  // namespace sluice::client
