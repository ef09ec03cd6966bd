#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>

#include "common/clock.hpp"

/// When is it strange that nothing comes from a source?
namespace sluice::silence {

/// The events of one hour that had any.
struct HourTraffic {
    std::chrono::sys_time<std::chrono::hours> hour{};
    std::int64_t events = 0;
};

/// So many usual events that do not come are strange. A holiday that leaves a tenth of them would still bring
/// fifteen in that time: that none comes by chance is once in three million.
inline constexpr double strange_without = 150;
/// What is shorter is never strange: a roll-out, or a provider's pause.
inline constexpr std::chrono::minutes shortest_strange{10};
/// A silence is strange too if it is so many times as long as the longest that is usual, and a day.
inline constexpr int strange_times_longest = 3;
inline constexpr std::chrono::hours shortest_strange_of_few{24};
/// What is learned from.
inline constexpr int weeks_learned = 8;

/// A source's usual week, learned from the eight weeks before the hour of its newest event: what did not come
/// since then is in no week. Nothing is known until there is one whole week. Pure.
///
///  - An hour's usual traffic is the median of that hour of the week, so that neither an outage nor a day of
///    much traffic is usual; and of it and its two neighbours the least, since clocks change by an hour.
///  - The longest usual silence is the longest between two hours with events; of four weeks and more, the
///    longest but one: the longest may have been an outage.
class UsualTraffic {
public:
    using Hour = std::chrono::sys_time<std::chrono::hours>;

    /// `hours` in order, each once; older ones than eight weeks, and `until` and later ones, do not count.
    UsualTraffic(std::span<const HourTraffic> hours, Hour until);

    [[nodiscard]] Hour learned_until() const noexcept { return until_; }
    /// How long after the newest event, which came in the hour `learned_until`, the source's silence becomes
    /// strange. nullopt: it cannot be told.
    [[nodiscard]] std::optional<std::chrono::seconds> strange_after(WallTime newest) const;
    /// Of a source that is known for a week.
    [[nodiscard]] std::optional<std::chrono::hours> longest_usual_silence() const { return longest_usual_; }

private:
    static constexpr std::size_t hours_of_week = 168;

    void learn_hours(std::span<const HourTraffic> hours);
    void learn_silence(std::span<const HourTraffic> hours);
    [[nodiscard]] double usual_at(Hour hour) const;
    [[nodiscard]] std::optional<std::chrono::seconds> without_usual_events(WallTime newest) const;

    Hour until_;
    std::size_t weeks_ = 0;
    std::array<double, hours_of_week> usual_{};
    std::optional<std::chrono::hours> longest_usual_;
};

}  // namespace sluice::silence
