#include "consumer/database/database_clock.hpp"

#include "consumer/store/driver/server_time.hpp"

namespace sluice::consumer {
namespace {

std::chrono::microseconds since_start(SteadyTime time) {
    return std::chrono::floor<std::chrono::microseconds>(time.time_since_epoch());
}

}  // namespace

WallTime DatabaseClock::wall() const {
    const std::int64_t ahead = ahead_.load(std::memory_order_relaxed);
    if (ahead == unknown) return machine_.wall();
    return WallTime{since_start(machine_.steady()) + std::chrono::microseconds{ahead}};
}

Result<void> DatabaseClock::look(store::Connection& connection) {
    const auto servers = store::server_time(connection);
    if (!servers) return Failure{servers.error()};
    set(*servers, machine_.steady());
    return {};
}

void DatabaseClock::set(WallTime servers, SteadyTime at) noexcept {
    ahead_.store((servers.time_since_epoch() - since_start(at)).count(), std::memory_order_relaxed);
}

}  // namespace sluice::consumer
