#pragma once

#include <array>
#include <string_view>

#include "common/clock.hpp"

/// The retry topics. All delays of one topic are equal, so that its first record is always the next due.
namespace sluice::lane {

struct Tier {
    std::string_view name;    ///< the topic is <topic>.<group>.retry.<name>
    Milliseconds full_delay;  ///< as the name says; what counts is delay_of
};

inline constexpr std::array<Tier, 5> tiers{{
    {"5s", std::chrono::seconds{5}},
    {"30s", std::chrono::seconds{30}},
    {"2m", std::chrono::minutes{2}},
    {"10m", std::chrono::minutes{10}},
    {"1h", std::chrono::hours{1}},
}};

/// A time of the retry role as it is lived: the time itself, but where failpoints are compiled in and
/// SLUICE_HURRY=N is set (tests), an N-th of it.
[[nodiscard]] Milliseconds paced(Milliseconds time) noexcept;

/// How long a record of this tier lies in its topic.
[[nodiscard]] Milliseconds delay_of(const Tier& tier) noexcept;

/// Until the next attempt after so many counted failures: one tier after the other, the last one repeated.
[[nodiscard]] Milliseconds retry_delay(int attempts) noexcept;

/// A deferred event mostly waits for our own record, seconds behind: twelve short attempts, then 30 s.
[[nodiscard]] Milliseconds deferral_delay(int deferrals) noexcept;

/// Where a wakeup that is due in `remaining` goes: the longest tier that does not make it late by more than
/// an eighth. One that comes too early finds nothing due and is sent on.
[[nodiscard]] const Tier& tier_for(Milliseconds remaining) noexcept;

}  // namespace sluice::lane
