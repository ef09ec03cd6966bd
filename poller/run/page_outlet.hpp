#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/clock.hpp"
#include "common/telemetry/log.hpp"
#include "ingress/outlet/outlet.hpp"
#include "poller/config/poll_settings.hpp"
#include "poller/list/event_list.hpp"
#include "poller/parcel/event_parcels.hpp"
#include "poller/telemetry/walk_metrics.hpp"
#include "poller/walk/ask.hpp"
#include "poller/walk/recent.hpp"

namespace sluice::poller {

/// Those events of a page that have a place, as the walk sees them, and where each stands in the page.
struct PlacedEvents {
    Page page;
    std::vector<std::size_t> at;
};
[[nodiscard]] PlacedEvents placed_in(const RawPage& page);

/// Brings events of one source's pages to Kafka. One thread's.
class PageOutlet {
public:
    /// All outlive it.
    PageOutlet(const PollSettings& poll, outlet::Outlet& outlet, WalkMetrics& metrics, Log& log,
               const Clock& clock);

    struct Published {
        std::vector<bool> kept;          ///< of those given, in their order
        std::vector<std::size_t> never;  ///< of those given: no topic takes them, now or later
        [[nodiscard]] bool all_kept() const;
    };
    /// Those of the page with these numbers, in this order.
    [[nodiscard]] Published publish(const RawPage& page, std::span<const std::size_t> events);
    enum class Unplaced : std::uint8_t { kept, not_kept, never };
    /// The events of the page that no walk can place: once each, as long as this process remembers them.
    /// `never`: no topic takes one of them.
    [[nodiscard]] Unplaced keep_unplaced(const RawPage& page);

private:
    [[nodiscard]] std::vector<outlet::Kept> deliver();
    void count(std::span<const outlet::Kept> kept);

    const PollSettings& poll_;
    outlet::Outlet& outlet_;
    WalkMetrics& metrics_;
    Log& log_;
    const Clock& clock_;
    EventParcels parcels_;
    Recent unplaced_;  // by their SHA-256
};

}  // namespace sluice::poller
