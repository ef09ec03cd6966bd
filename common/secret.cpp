#include "common/secret.hpp"

#include <algorithm>
#include <utility>

#include <openssl/crypto.h>

namespace sluice {
namespace {

// Above the small-string size of any standard library, so that the bytes are on the heap and a move
// hands over the pointer instead of copying.
constexpr std::size_t least_capacity = 64;

}  // namespace

Secret::Secret(std::string_view bytes) {
    bytes_.reserve(std::max(bytes.size(), least_capacity));
    bytes_.assign(bytes);
}

Secret::Secret(Secret&& other) noexcept : bytes_{std::move(other.bytes_)} {
    other.bytes_.clear();
}

Secret& Secret::operator=(Secret&& other) noexcept {
    if (this == &other) return *this;
    wipe();
    bytes_ = std::move(other.bytes_);
    other.bytes_.clear();
    return *this;
}

Secret::~Secret() {
    wipe();
}

Secret Secret::clone() const {
    return Secret{bytes_};
}

std::string_view Secret::bytes() const noexcept {
    return bytes_;
}

bool Secret::empty() const noexcept {
    return bytes_.empty();
}

void Secret::wipe() noexcept {
    OPENSSL_cleanse(bytes_.data(), bytes_.size());
    bytes_.clear();
}

std::ostream& operator<<(std::ostream& out, const Secret&) {
    return out << "***";
}

}  // namespace sluice
