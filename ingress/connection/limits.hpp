#pragma once

#include <algorithm>
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

    /// That a connection rests: it is open, and nothing is read of it.
    class Rest {
    public:
        explicit Rest(Limits& limits) : limits_{limits} {
            limits_.resting_.fetch_add(1, std::memory_order_relaxed);
        }
        Rest(const Rest&) = delete;
        Rest& operator=(const Rest&) = delete;
        ~Rest() { limits_.resting_.fetch_sub(1, std::memory_order_relaxed); }

    private:
        Limits& limits_;
    };

    [[nodiscard]] std::optional<Slot> enter();
    [[nodiscard]] int in_all() const noexcept { return in_all_; }
    /// More than three quarters are taken: none may be kept without a request.
    [[nodiscard]] bool are_scarce() const noexcept { return open() > in_all_ - in_all_ / 4; }
    /// A quarter of all connections rest already: another would take the place of a client that did nothing
    /// wrong.
    [[nodiscard]] bool is_rest_taken() const noexcept {
        return resting_.load(std::memory_order_relaxed) >= std::max(in_all_ / 4, 1);
    }
    [[nodiscard]] int open() const noexcept { return open_.load(std::memory_order_relaxed); }

private:
    void leave(const std::optional<Address>& client_prefix);

    const int in_all_;
    const int per_address_;
    std::atomic<int> open_{0};
    std::atomic<int> resting_{0};
    std::mutex mutex_;
    std::map<Address, int> by_client_prefix_;
};

}  // namespace sluice::connection
