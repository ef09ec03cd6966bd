#pragma once

#include <string>

#include "ingress/asio/asio.hpp"
#include "ingress/dedup/claim.hpp"
#include "ingress/dedup/marker.hpp"
#include "ingress/dedup/shared_limits.hpp"

namespace sluice::dedup {

/// A hint against duplicates, never a guarantee: the unique key in MySQL decides. One per io_context,
/// used by its coroutines only.
class Deduplicator {
public:
    virtual ~Deduplicator() = default;

    /// Never throws and never takes longer than a few round trips: anything unclear is not `duplicate`.
    /// `counting`: limits that are asked for in the same round trip; it outlives the task.
    [[nodiscard]] virtual ingress::Task<Claim> claim(const Marker& marker, Counting* counting) = 0;
    [[nodiscard]] ingress::Task<Claim> claim(const Marker& marker) { return claim(marker, nullptr); }

    /// A fresh claim is not followed by a publication: the next one need not wait for it. May be lost.
    virtual void release(const Marker& marker) = 0;
    /// What was counted with a claim was a duplicate, which anyone can send again who has a delivery: it
    /// takes nothing of its limits. May be lost.
    virtual void take_back(const Counting& counting) = 0;

    /// Kafka holds the event: records that for later claims. Not awaited; may be lost. Leaves with the next
    /// claim, or some milliseconds later.
    virtual void confirm(const Marker& marker) = 0;

    /// Which log the markers speak of (record::marker_epoch); until it is known every claim is `unavailable`.
    virtual void use_epoch(const std::string& epoch) = 0;
};

}  // namespace sluice::dedup
