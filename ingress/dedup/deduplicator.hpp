#pragma once

#include <string>
#include <string_view>

#include "ingress/asio/asio.hpp"
#include "ingress/dedup/marker.hpp"

namespace sluice::dedup {

/// What is known of an event before it is published. Only `duplicate` spares the publication.
enum class Claim {
    fresh,        ///< no marker
    duplicate,    ///< an acknowledged copy with the same content exists
    conflict,     ///< an acknowledged copy exists under this id, with other content
    busy,         ///< another request has been publishing it and has not confirmed in time
    unavailable,  ///< no trustworthy reply in time
};
[[nodiscard]] std::string_view name_of(Claim claim) noexcept;  ///< closed set, a metric label

/// A hint against duplicates, never a guarantee: the unique key in MySQL decides. One per io_context,
/// used by its coroutines only.
class Deduplicator {
public:
    virtual ~Deduplicator() = default;

    /// Never throws and never takes longer than a few round trips: anything unclear is not `duplicate`.
    [[nodiscard]] virtual ingress::Task<Claim> claim(const Marker& marker) = 0;

    /// Kafka holds the event: records that for later claims. Not awaited; may be lost. Leaves with the next
    /// claim, or some milliseconds later.
    virtual void confirm(const Marker& marker) = 0;

    /// Which log the markers speak of (record::marker_epoch); until it is known every claim is `unavailable`.
    virtual void use_epoch(const std::string& epoch) = 0;
};

}  // namespace sluice::dedup
