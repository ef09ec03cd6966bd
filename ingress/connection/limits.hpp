#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <optional>

#include "common/network/address.hpp"

namespace sluice::connection {

using network::Address;

/// How many connections there may be, in all and per address (IPv6: per /64). One for the process,
/// asked once per connection. Thread-safe; outlives its slots.
class Limits {
public:
    /// `per_address` 0: no such limit.
    Limits(int in_all, int per_address) : in_all_{in_all}, per_address_{per_address} {}

    /// A connection's place. Given back when it goes.
    class Slot {
    public:
        Slot(Slot&& other) noexcept;
        Slot& operator=(Slot&&) = delete;
        ~Slot();

        /// Counts the connection under its client; false when that one has too many. Called once, as
        /// soon as the client is known.
        [[nodiscard]] bool name(const Address& client);

    private:
        friend class Limits;
        explicit Slot(Limits& limits) : limits_{&limits} {}
        Limits* limits_;
        std::optional<Address> client_prefix_;
    };

    [[nodiscard]] std::optional<Slot> enter();
    [[nodiscard]] int in_all() const noexcept { return in_all_; }
    /// More than three quarters are taken: none may be kept without a request.
    [[nodiscard]] bool are_scarce() const noexcept { return open() > in_all_ - in_all_ / 4; }
    [[nodiscard]] int open() const noexcept { return open_.load(std::memory_order_relaxed); }

private:
    void leave(const std::optional<Address>& client_prefix);

    const int in_all_;
    const int per_address_;
    std::atomic<int> open_{0};
    std::mutex mutex_;
    std::map<Address, int> by_client_prefix_;
};

}  // namespace sluice::connection
