#include "consumer/lane/rules/breaker.hpp"

#include <algorithm>

namespace sluice::lane {
namespace {

// The first is short: what looks like an outage may be one effect's events in a row.
constexpr Milliseconds shortest_wait = std::chrono::seconds{1};
constexpr Milliseconds longest_wait = std::chrono::seconds{30};
constexpr Milliseconds patience_with_a_probe = std::chrono::minutes{1};

}  // namespace

void Breaker::succeeded() noexcept {
    in_a_row_ = 0;
    wait_ = Milliseconds{0};
    probe_until_.reset();
}

void Breaker::failed(SteadyTime now) noexcept {
    if (failures_ == 0) return;
    if (in_a_row_ < failures_) ++in_a_row_;
    const bool is_last_straw = state(now) == State::closed && in_a_row_ >= failures_;
    // Open, it is an event that was under way when another one opened it.
    if (is_last_straw || state(now) == State::half_open) open(now);
}

void Breaker::open(SteadyTime now) noexcept {
    wait_ = std::clamp(2 * wait_, shortest_wait, longest_wait);
    open_until_ = now + wait_;
    probe_until_.reset();
}

bool Breaker::admits(SteadyTime now) noexcept {
    switch (state(now)) {
        case State::closed:
            return true;
        case State::open:
            return false;
        case State::half_open:
            break;
    }
    if (probe_until_ && now < *probe_until_) return false;
    probe_until_ = now + patience_with_a_probe;
    return true;
}

Breaker::State Breaker::state(SteadyTime now) const noexcept {
    if (wait_ == Milliseconds{0}) return State::closed;
    return now < open_until_ ? State::open : State::half_open;
}

std::optional<SteadyTime> Breaker::half_opens_at(SteadyTime now) const noexcept {
    return state(now) == State::open ? std::optional{open_until_} : std::nullopt;
}

std::string_view name_of(Breaker::State state) noexcept {
    switch (state) {
        case Breaker::State::closed:
            return "closed";
        case Breaker::State::half_open:
            return "half open";
        case Breaker::State::open:
            break;
    }
    return "open";
}

}  // namespace sluice::lane
