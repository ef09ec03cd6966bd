#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace sluice::ctl {

/// What a delivery is meant to be, from the provider's side.
enum class Kind : std::uint8_t {
    fresh,      ///< an event's first delivery
    duplicate,  ///< a further delivery of one of them, signed again
    forged,     ///< signed without the right key, or changed afterwards
    stale,      ///< correctly signed, too long ago
};
inline constexpr std::size_t kinds = 4;

[[nodiscard]] std::string_view name_of(Kind kind) noexcept;
[[nodiscard]] bool is_genuine(Kind kind) noexcept;  ///< must be answered 2xx in the end; the others never

/// Shares are percent of `events` and come on top of them.
struct Mix {
    std::size_t events = 100;
    double duplicates = 0;
    double forged = 0;
    double stale = 0;
    bool disorder = false;  ///< deliveries change places within a window of 20
    std::uint64_t seed = 1;
};

struct Delivery {
    std::uint32_t event = 0;  ///< index: genuine ones first, then those that are forged or stale
    Kind kind = Kind::fresh;
};

/// How many separate events forged and stale deliveries need, so that one that slips through shows.
[[nodiscard]] std::size_t extra_events(const Mix& mix) noexcept;

/// The order of deliveries. Pure; one mix gives one plan. A duplicate follows its event by 1 to 50
/// places; the first delivery of an event is the fresh one, in any disorder.
[[nodiscard]] std::vector<Delivery> plan_of(const Mix& mix);

}  // namespace sluice::ctl
