#pragma once

#include <cerrno>
#include <system_error>
#include <utility>

#include <sys/types.h>
#include <unistd.h>

namespace sluice::spill {

/// Bodies are nobody else's to read.
inline constexpr ::mode_t owner_only = 0600;

/// An open file or folder, closed with this.
class Descriptor {
public:
    Descriptor() = default;
    explicit Descriptor(int number) noexcept : number_{number} {}
    Descriptor(Descriptor&& other) noexcept : number_{std::exchange(other.number_, -1)} {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~Descriptor() {
        if (is_open()) ::close(number_);
    }

    [[nodiscard]] bool is_open() const noexcept { return number_ >= 0; }
    [[nodiscard]] int number() const noexcept { return number_; }

private:
    int number_ = -1;
};

/// What the last system call said.
[[nodiscard]] inline std::error_code last_error() noexcept {
    return {errno, std::generic_category()};
}

}  // namespace sluice::spill
