#pragma once

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "common/clock.hpp"

/// Which events a reconciliation looks at: pure.
namespace sluice::poller {

/// Created in [from, until), by the provider's clock; whole seconds.
struct Window {
    WallTime from{};
    WallTime until{};

    [[nodiscard]] bool is_empty() const { return from >= until; }
    [[nodiscard]] bool holds(WallTime created) const { return from <= created && created < until; }
    /// All of that UTC day.
    [[nodiscard]] bool holds_day(std::chrono::sys_days day) const {
        return from <= day && day + std::chrono::days{1} <= until;
    }
    bool operator==(const Window&) const = default;
};

/// What is kept for how long.
struct Keeping {
    std::chrono::seconds overlap{300};  ///< an event is listed this long after its creation
    std::chrono::days retention{30};    ///< by the provider
    std::chrono::days inbox{90};        ///< inbox.keep
    std::optional<std::chrono::sys_days> dropped_before{};  ///< days of the inbox that are gone
};

/// How old an event is before it is looked at: it is listed by then, and its webhook has been on its way for
/// long enough to be applied.
[[nodiscard]] inline std::chrono::seconds settling_time(std::chrono::seconds overlap) {
    return std::max<std::chrono::seconds>(overlap, std::chrono::minutes{15});
}

/// What is left of a window, and why it is less than what was asked for, as sentences.
struct CutWindow {
    Window window;
    std::vector<std::string> cuts;
};

/// Its end: `settling_time` before now. `now`: as below.
void cut_end(CutWindow& cut, WallTime now, std::chrono::seconds overlap);

/// The window ends `settling_time` before now. It begins no earlier than the provider lists events for
/// certain, and than the inbox knows what it applied: an event whose day is gone there looks missing, and is
/// not. `now`: the provider's time, never later than the truth.
[[nodiscard]] CutWindow cut(const Window& asked, WallTime now, const Keeping& keeping);

}  // namespace sluice::poller
