#pragma once

#include <cerrno>
#include <system_error>
#include <utility>

#include <unistd.h>

namespace sluice {

/// An open file or folder, closed with this.
class FileDescriptor {
public:
    FileDescriptor() = default;
    explicit FileDescriptor(int number) noexcept : number_{number} {}
    FileDescriptor(FileDescriptor&& other) noexcept : number_{std::exchange(other.number_, -1)} {}
    FileDescriptor& operator=(FileDescriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~FileDescriptor() {
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

}  // namespace sluice
