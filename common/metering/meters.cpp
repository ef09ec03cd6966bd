#include "common/metering/meters.hpp"

#include <algorithm>
#include <cstring>

namespace sluice::metering {
namespace {

constexpr std::size_t kept = 16;  // bytes of a digest

std::array<std::uint8_t, kept> name_of(const crypto::Digest& who) {
    std::array<std::uint8_t, kept> name{};
    std::ranges::copy_n(who.begin(), kept, name.begin());
    return name;
}

}  // namespace

Meters::Meters(Counter& forgotten, std::size_t places) : forgotten_{forgotten}, count_{places} {}

std::optional<SteadyTime::duration> Meters::take(std::span<const Metered> all, SteadyTime now) {
    std::optional<SteadyTime::duration> longest;
    const std::scoped_lock lock{mutex_};
    for (const auto& [who, rate] : all)
        longest = std::max(longest, take_one(spent_until(who), now, rate).wait);
    if (longest) return longest;
    for (const auto& [who, rate] : all) put(who, take_one(spent_until(who), now, rate).spent_until, now);
    return std::nullopt;
}

std::optional<SteadyTime::duration> Meters::wait(const Metered& one, SteadyTime now) {
    const std::scoped_lock lock{mutex_};
    return take_one(spent_until(one.who), now, one.rate).wait;
}

void Meters::remember(const crypto::Digest& who, SteadyTime until, SteadyTime now) {
    const std::scoped_lock lock{mutex_};
    put(who, until, now);
}

bool Meters::remembers(const crypto::Digest& who, SteadyTime now) {
    const std::scoped_lock lock{mutex_};
    return spent_until(who) > now;
}

SteadyTime Meters::spent_until(const crypto::Digest& who) const {
    if (places_.empty()) return {};
    const Place& place = places_[place_of(who)];
    const auto found = std::ranges::find(place, name_of(who), &Entry::who);
    return found == place.end() ? SteadyTime{} : found->spent_until;
}

void Meters::put(const crypto::Digest& who, SteadyTime spent_until, SteadyTime now) {
    if (places_.empty()) places_.resize(count_);
    Place& place = places_[place_of(who)];
    auto entry = std::ranges::find(place, name_of(who), &Entry::who);
    if (entry == place.end()) {
        entry = std::ranges::min_element(place, {}, &Entry::spent_until);
        if (entry->spent_until > now) forgotten_.Increment();
    }
    *entry = {name_of(who), spent_until};
}

std::size_t Meters::place_of(const crypto::Digest& who) const {
    std::uint64_t number = 0;
    std::memcpy(&number, who.data() + kept, sizeof number);
    return number % count_;
}

}  // namespace sluice::metering
