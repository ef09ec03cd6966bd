#pragma once

#include <span>
#include <vector>

#include "common/clock.hpp"
#include "ingress/asio/asio.hpp"
#include "ingress/dedup/deduplicator.hpp"
#include "ingress/outlet/parcel.hpp"
#include "ingress/publish/publisher.hpp"

namespace sluice::outlet {

/// One io_context's ways to Redis and Kafka.
struct Ways {
    ingress::asio::io_context& io;
    dedup::Deduplicator& deduplicator;
    publish::Publisher& publisher;
};

/// Outlet::deliver, on the io_context's thread. `ways` and the parcels outlive it.
[[nodiscard]] ingress::Task<std::vector<Kept>> deliver(const Ways& ways, std::span<const Parcel> parcels,
                                                       SteadyTime until);

}  // namespace sluice::outlet
