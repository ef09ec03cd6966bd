#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

namespace sluice::model {

/// At most N values, stored in place: states are copied millions of times.
template <class T, std::size_t N>
class Few {
public:
    [[nodiscard]] T* begin() noexcept { return values_.data(); }
    [[nodiscard]] T* end() noexcept { return values_.data() + size_; }
    [[nodiscard]] const T* begin() const noexcept { return values_.data(); }
    [[nodiscard]] const T* end() const noexcept { return values_.data() + size_; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] T& operator[](std::size_t i) noexcept { return values_[i]; }
    [[nodiscard]] const T& operator[](std::size_t i) const noexcept { return values_[i]; }

    void push_back(const T& value) {
        if (size_ == N) throw std::length_error{"the world is larger than its state has room for"};
        values_[size_++] = value;
    }
    void resize(std::size_t size) {
        while (size_ < size) push_back(T{});
        size_ = static_cast<std::uint8_t>(size);
    }
    void erase(std::size_t first, std::size_t count) {
        for (std::size_t i = first; i + count < size_; ++i) values_[i] = values_[i + count];
        size_ = static_cast<std::uint8_t>(size_ - count);
    }

private:
    std::array<T, N> values_{};
    std::uint8_t size_ = 0;
};

}  // namespace sluice::model
