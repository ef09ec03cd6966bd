#include "common/crypto/random.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>

#include <openssl/crypto.h>
#include <openssl/rand.h>

#include "common/crypto/encoding.hpp"

namespace sluice::crypto {
namespace {

/// Random bytes of one thread, fetched in blocks: for OpenSSL a call for 16 bytes costs as much as one for
/// a thousand, two system calls of it. Used bytes are wiped. A child of fork() would have the same bytes,
/// so nothing that forks may use this.
class RandomBlock {
public:
    ~RandomBlock() { OPENSSL_cleanse(bytes_.data(), bytes_.size()); }

    void take(std::span<unsigned char> into) {
        if (bytes_.size() - used_ < into.size()) refill();
        const std::span taken = std::span{bytes_}.subspan(used_, into.size());
        std::ranges::copy(taken, into.begin());
        OPENSSL_cleanse(taken.data(), taken.size());
        used_ += into.size();
    }

private:
    void refill() {
        used_ = bytes_.size();  // until there are any
        if (RAND_bytes_ex(nullptr, bytes_.data(), bytes_.size(), 0) != 1)
            throw std::runtime_error{"the system returns no random bytes"};
        used_ = 0;
    }

    std::array<unsigned char, 1024> bytes_{};
    std::size_t used_ = bytes_.size();
};

}  // namespace

std::string random_hex(std::size_t bytes) {
    std::string text(bytes * 2, '0');
    constexpr std::size_t most = 64;
    for (std::size_t at = 0; at < text.size(); at += most) {
        write_random_hex(std::span{text}.subspan(at, std::min(most, text.size() - at)));
    }
    return text;
}

void write_random_hex(std::span<char> text) {
    thread_local RandomBlock block;
    std::array<unsigned char, 32> raw;
    if (text.size() > raw.size() * 2 || text.size() % 2 != 0) {
        throw std::logic_error{"write_random_hex: an even size of at most 64"};
    }
    const std::span bytes = std::span{raw}.first(text.size() / 2);
    block.take(bytes);
    write_hex(text.data(), {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace sluice::crypto
