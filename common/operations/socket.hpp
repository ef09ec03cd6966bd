#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace sluice::operations {

/// A socket or another descriptor that is closed with it. One thread.
class Socket {
public:
    explicit Socket(int descriptor = -1) noexcept : descriptor_{descriptor} {}
    Socket(Socket&& other) noexcept : descriptor_{std::exchange(other.descriptor_, -1)} {}
    Socket& operator=(Socket&& other) noexcept {
        std::swap(descriptor_, other.descriptor_);
        return *this;
    }
    ~Socket();

    [[nodiscard]] int get() const noexcept { return descriptor_; }
    [[nodiscard]] bool is_open() const noexcept { return descriptor_ >= 0; }

private:
    int descriptor_;
};

/// Bound and listening, never blocking; `port` 0: any that is free. Throws std::runtime_error with the
/// address and `key`, where another may be written.
[[nodiscard]] Socket listen_on(const std::string& host, std::uint16_t port, std::string_view key);
[[nodiscard]] std::uint16_t port_of(const Socket& listening);

}  // namespace sluice::operations
