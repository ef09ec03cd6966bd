#include "command/hot/account_rates.hpp"

#include <algorithm>
#include <functional>

namespace sluice::command {
namespace {

std::int64_t window_at(SteadyTime now) {
    return now.time_since_epoch() / AccountRates::window;
}

std::uint64_t hash_of(std::string_view account) {
    return std::max<std::uint64_t>(std::hash<std::string_view>{}(account), 1);
}

}  // namespace

AccountRates::AccountRates(double above, double back_below)
    : above_{above}, back_below_{back_below}, sets_(places / ways) {}

bool AccountRates::count(std::string_view account, SteadyTime now) {
    const auto hash = hash_of(account);
    Place& place = place_of(sets_[hash % sets_.size()], hash, window_at(now));
    if (place.account != hash) {
        if (place.is_hot && is_hot(place, now)) return false;
        place = Place{.account = hash, .in = window_at(now)};
    }
    ++place.now;
    place.is_hot = is_hot(place, now);
    return place.is_hot;
}

std::size_t AccountRates::hot(SteadyTime now) const {
    std::size_t count = 0;
    for (const Set& set : sets_)
        for (Place place : set) {
            turn(place, window_at(now));
            if (place.is_hot && is_hot(place, now)) ++count;
        }
    return count;
}

void AccountRates::turn(Place& place, std::int64_t to) {
    if (place.in == to) return;
    place.before = place.in + 1 == to ? place.now : 0;
    place.now = 0;
    place.in = to;
}

/// The account's own; else the one that is free, or has the fewest commands. Those that are hot come last.
AccountRates::Place& AccountRates::place_of(Set& set, std::uint64_t account, std::int64_t at) {
    for (Place& place : set) turn(place, at);
    const auto own = std::ranges::find(set, account, &Place::account);
    if (own != set.end()) return *own;
    const auto weight = [](const Place& place) {
        return std::uint64_t{place.now} + place.before + (place.is_hot ? std::uint64_t{1} << 40U : 0);
    };
    return *std::ranges::min_element(set, {}, weight);
}

double AccountRates::rate(const Place& place, SteadyTime now) {
    using Seconds = std::chrono::duration<double>;
    const double into = Seconds{now.time_since_epoch() % window} / Seconds{window};
    return (place.now + place.before * (1 - into)) / Seconds{window}.count();
}

bool AccountRates::is_hot(const Place& place, SteadyTime now) const {
    return rate(place, now) >= (place.is_hot ? back_below_ : above_);
}

}  // namespace sluice::command
