#include "consumer/apply/outbox_bell.hpp"

namespace sluice::consumer {

void OutboxBell::ring() {
    {
        const std::lock_guard lock{mutex_};
        ++rings_;
    }
    rung_.notify_all();
}

std::uint64_t OutboxBell::rings() const {
    const std::lock_guard lock{mutex_};
    return rings_;
}

void OutboxBell::wait(const std::stop_token& stop, std::uint64_t seen, Milliseconds least,
                      Milliseconds most) {
    std::unique_lock lock{mutex_};
    rung_.wait_for(lock, stop, least, [] { return false; });
    rung_.wait_for(lock, stop, most - least, [&] { return rings_ != seen; });
}

}  // namespace sluice::consumer
