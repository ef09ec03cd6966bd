#include "consumer/telemetry/burst_watch.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <tuple>

namespace sluice::consumer {

BurstWatch::BurstWatch(std::size_t objects, unsigned most)
    : sets_{std::max<std::size_t>((objects + ways - 1) / ways, 1)}, most_{most}, places_(sets_ * ways) {}

std::optional<unsigned> BurstWatch::saw(std::string_view object, WallTime at) {
    const auto number = std::chrono::floor<std::chrono::minutes>(at.time_since_epoch()) / slot;
    const auto now = static_cast<std::uint32_t>(std::max<std::int64_t>(number, slots));
    Place& place = place_of(std::hash<std::string_view>{}(object), now);
    // An event that comes late counts as of now: its own slot may be gone.
    place.advance_to(std::max(now, place.newest));
    std::uint8_t& count = place.counts[place.newest % slots];
    if (count < std::numeric_limits<std::uint8_t>::max()) ++count;
    const unsigned total = place.total();
    if (total <= most_ || place.told + slots > place.newest) return std::nullopt;
    place.told = place.newest;
    return total;
}

BurstWatch::Place& BurstWatch::place_of(std::uint64_t object, std::uint32_t now) {
    const std::span<Place> set{&places_[object % sets_ * ways], ways};
    const auto known = std::ranges::find_if(
        set, [&](const Place& place) { return place.object == object && place.newest != 0; });
    if (known != set.end()) return *known;
    const auto over = std::ranges::find_if(set, [now](const Place& place) { return place.is_over(now); });
    const auto worth = [](const Place& place) { return std::tuple{place.total(), place.newest}; };
    Place& freed = over != set.end() ? *over : *std::ranges::min_element(set, {}, worth);
    freed = {.object = object, .newest = now};
    return freed;
}

void BurstWatch::Place::advance_to(std::uint32_t now) noexcept {
    if (is_over(now)) counts.fill(0);
    for (; newest < now; newest = is_over(now) ? now : newest + 1) counts[(newest + 1) % slots] = 0;
}

unsigned BurstWatch::Place::total() const noexcept {
    return std::accumulate(counts.begin(), counts.end(), 0U);
}

}  // namespace sluice::consumer
