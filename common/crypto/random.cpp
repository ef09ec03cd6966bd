#include "common/crypto/random.hpp"

#include <array>
#include <stdexcept>

#include <openssl/rand.h>

namespace sluice::crypto {

std::string random_hex(std::size_t bytes) {
    std::string text(bytes * 2, '0');
    constexpr std::size_t most = 64;
    for (std::size_t at = 0; at < text.size(); at += most) {
        write_random_hex(std::span{text}.subspan(at, std::min(most, text.size() - at)));
    }
    return text;
}

void write_random_hex(std::span<char> text) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::array<unsigned char, 32> raw;
    if (text.size() > raw.size() * 2 || text.size() % 2 != 0) {
        throw std::logic_error{"write_random_hex: an even size of at most 64"};
    }
    const std::span bytes = std::span{raw}.first(text.size() / 2);
    if (RAND_bytes_ex(nullptr, bytes.data(), bytes.size(), 0) != 1) {
        throw std::runtime_error{"the system gives no random bytes"};
    }
    char* out = text.data();
    for (const unsigned char byte : bytes) {
        *out++ = digits[byte >> 4];
        *out++ = digits[byte & 15];
    }
}

}  // namespace sluice::crypto
