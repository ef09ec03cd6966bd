#include "consumer/silence/rules/usual_traffic.hpp"

#include <algorithm>
#include <vector>

namespace sluice::silence {
namespace {

constexpr std::chrono::weeks most_weeks{weeks_learned};
constexpr std::size_t weeks_with_an_outage = 4;

std::size_t hour_of_week(UsualTraffic::Hour hour) {
    return static_cast<std::size_t>(hour.time_since_epoch() % std::chrono::weeks{1} / std::chrono::hours{1});
}

}  // namespace

UsualTraffic::UsualTraffic(std::span<const HourTraffic> hours, Hour until) : until_{until} {
    const auto first = std::ranges::lower_bound(hours, until - most_weeks, {}, &HourTraffic::hour);
    const auto end = std::ranges::lower_bound(hours, until, {}, &HourTraffic::hour);
    if (first == end) return;
    weeks_ = static_cast<std::size_t>((until - first->hour) / std::chrono::weeks{1});
    if (weeks_ == 0) return;
    learn_hours({first, end});
    learn_silence({first, end});
}

void UsualTraffic::learn_hours(std::span<const HourTraffic> hours) {
    const Hour from = until_ - std::chrono::weeks{weeks_};
    std::vector<std::int64_t> counts(hours_of_week * weeks_);  // those of one hour of the week side by side
    for (const HourTraffic& one : hours) {
        if (one.hour < from) continue;
        const auto week = static_cast<std::size_t>((one.hour - from) / std::chrono::weeks{1});
        counts.at(hour_of_week(one.hour) * weeks_ + week) = one.events;
    }
    for (std::size_t hour = 0; hour < hours_of_week; ++hour) {
        const auto weeks = std::span{counts}.subspan(hour * weeks_, weeks_);
        const auto median = weeks.begin() + static_cast<std::ptrdiff_t>((weeks_ - 1) / 2);
        std::ranges::nth_element(weeks, median);
        usual_.at(hour) = static_cast<double>(*median);
    }
}

void UsualTraffic::learn_silence(std::span<const HourTraffic> hours) {
    std::vector<std::chrono::hours> silences;
    Hour before = hours.front().hour;
    for (const HourTraffic& one : hours.subspan(1)) {
        silences.push_back(one.hour - before);
        before = one.hour;
    }
    silences.push_back(until_ - before);
    std::ranges::sort(silences, std::greater{});
    const std::size_t which = weeks_ < weeks_with_an_outage ? 0 : 1;
    if (silences.size() > which) longest_usual_ = silences.at(which);
}

double UsualTraffic::usual_at(Hour hour) const {
    const std::size_t at = hour_of_week(hour);
    return std::min({usual_.at(at), usual_.at((at + 1) % hours_of_week),
                     usual_.at((at + hours_of_week - 1) % hours_of_week)});
}

std::optional<std::chrono::seconds> UsualTraffic::without_usual_events(WallTime newest) const {
    using Seconds = std::chrono::duration<double>;
    double missing = 0;
    for (Hour hour = until_; hour < until_ + most_weeks; hour += std::chrono::hours{1}) {
        const Seconds begins = std::max(WallTime{hour}, newest) - newest;
        const Seconds lasts = hour + std::chrono::hours{1} - newest - begins;
        const double here = usual_at(hour) * lasts / std::chrono::hours{1};
        if (missing + here >= strange_without)
            return std::chrono::round<std::chrono::seconds>(begins +
                                                            lasts * ((strange_without - missing) / here));
        missing += here;
    }
    return std::nullopt;
}

std::optional<std::chrono::seconds> UsualTraffic::strange_after(WallTime newest) const {
    if (weeks_ == 0) return std::nullopt;
    std::optional<std::chrono::seconds> after = without_usual_events(newest);
    if (after) after = std::max<std::chrono::seconds>(*after, shortest_strange);
    if (!longest_usual_) return after;
    const std::chrono::seconds by_longest =
        std::max(*longest_usual_ * strange_times_longest, shortest_strange_of_few);
    return after ? std::min(*after, by_longest) : by_longest;
}

}  // namespace sluice::silence
