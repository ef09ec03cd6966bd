#pragma once

#include <cstdint>
#include <string>
#include <string_view>

/// What floor and load generator have in common: sockets of the loopback, without any library.
namespace sluice::bench {

/// Owns one file descriptor. Moves only.
class Descriptor {
public:
    Descriptor() = default;
    explicit Descriptor(int number) noexcept : number_{number} {}
    Descriptor(Descriptor&& other) noexcept : number_{other.release()} {}
    Descriptor& operator=(Descriptor&& other) noexcept;
    ~Descriptor();

    [[nodiscard]] int get() const noexcept { return number_; }
    [[nodiscard]] int release() noexcept;

private:
    int number_ = -1;
};

/// Non-blocking, TCP_NODELAY, on 127.0.0.1. Throw std::system_error.
[[nodiscard]] Descriptor listen_on(std::uint16_t port);
[[nodiscard]] Descriptor connect_to(std::uint16_t port);
/// From 127.1.0.0 + `number`: as many clients as one wants.
[[nodiscard]] Descriptor connect_from(std::uint32_t number, std::uint16_t port);
/// Ends the connection at once and forgets it: no port stays taken.
void abandon(Descriptor connection);
/// The next connection that waits; -1 when there is none.
[[nodiscard]] Descriptor accept_from(const Descriptor& listener);

/// Sends what fits and drops it from `bytes`. False: the peer is gone.
[[nodiscard]] bool send_some(int socket, std::string& bytes);

/// An epoll instance; `tag` comes back with the event.
class Epoll {
public:
    Epoll();
    void add(int descriptor, void* tag) const;  ///< readable, level-triggered
    void want_write(int descriptor, void* tag, bool wanted) const;
    [[nodiscard]] int get() const noexcept { return own_.get(); }

private:
    Descriptor own_;
};

[[noreturn]] void fail(std::string_view what);  ///< std::system_error of errno

}  // namespace sluice::bench
