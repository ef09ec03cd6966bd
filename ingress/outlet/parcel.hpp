#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "common/record/event_record.hpp"
#include "ingress/dedup/marker.hpp"

namespace sluice::outlet {

/// A record on its way, with the caller's memory.
struct Parcel {
    enum class To { events, quarantine } to = To::events;
    std::string_view key{};
    std::string_view value{};
    std::span<const record::HeaderView> headers{};
    std::optional<dedup::Marker> marker{};  ///< of an event: what Redis knows it by
    bool asks_claim = true;                 ///< false: published whatever Redis knows of it
};

/// What became of a parcel. Only with the first two it is in Kafka for certain.
enum class Kept {
    published,    ///< the broker has it: persisted, with an offset, on all in-sync replicas
    known,        ///< not sent: Redis holds a durable marker of this content
    not_kept,     ///< unknown: it may be in Kafka, or yet be
    unavailable,  ///< not sent: no broker, no topic, or too much waits already
    too_large,    ///< not sent: the topic does not take records of this size
};

}  // namespace sluice::outlet
