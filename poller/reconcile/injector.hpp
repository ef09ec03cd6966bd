#pragma once

#include <cstddef>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "common/backoff.hpp"
#include "common/clock.hpp"
#include "ingress/outlet/outlet.hpp"
#include "poller/list/event_list.hpp"
#include "poller/parcel/event_parcels.hpp"

namespace sluice::poller {

/// Publishes events that are missing, whatever Redis knows of them: a durable marker of an event that Kafka
/// lost is what makes it missing. The inbox drops those that come a second time. One thread's.
class Injector {
public:
    /// `id`: of the reconciliation; goes with each event. All outlive it.
    Injector(const webhook::Source& source, const std::string& id, outlet::Outlet& outlet,
             const Clock& clock);

    struct Injected {
        std::vector<bool> kept;  ///< of those given, in their order: whether Kafka has it
        std::string broken_off;  ///< why the run cannot go on; empty: it can
    };
    /// Those of the page. One that no topic takes is not kept. Where Kafka does not take all within a minute,
    /// and when it is stopped, it breaks off.
    [[nodiscard]] Injected inject(const RawPage& page, std::span<const std::size_t> events,
                                  const std::stop_token& stop);

private:
    outlet::Outlet& outlet_;
    const Clock& clock_;
    EventParcels parcels_;
    Random random_;
};

}  // namespace sluice::poller
