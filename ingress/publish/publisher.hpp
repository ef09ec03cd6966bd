#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "common/clock.hpp"
#include "common/record/event_record.hpp"
#include "ingress/asio/asio.hpp"
#include "ingress/dedup/marker.hpp"

namespace sluice::publish {

enum class Topic { events, quarantine, originals };
inline constexpr std::size_t topic_count = 3;

/// One record; the views are the caller's, and read before `publish` first suspends.
struct Record {
    Topic topic = Topic::events;
    std::string_view key;
    std::string_view value;
    std::span<const record::HeaderView> headers;
    /// What to confirm when the acknowledgement comes after the answer; none for other topics.
    std::optional<dedup::Marker> marker;
};

enum class Published {
    stored,       ///< the broker has it: persisted, with an offset, on all in-sync replicas
    spilled,      ///< a synced journal has it, and will bring it to the broker (ingress/spill)
    not_acked,    ///< unknown: it may be stored, or yet be
    shed,         ///< not sent: what is queued cannot drain in time
    unavailable,  ///< not sent: no broker, no topic, a producer that must be recreated
    too_large,    ///< not sent: the topic does not take records of this size
};

/// The only outcomes that may be answered with success.
[[nodiscard]] constexpr bool is_safe(Published published) noexcept {
    return published == Published::stored || published == Published::spilled;
}

/// Into Kafka. One per io_context, used by its coroutines only.
class Publisher {
public:
    virtual ~Publisher() = default;

    /// Sends, and waits for the record's own delivery report, at most until `answer_by`. After `not_acked` a
    /// late acknowledgement still confirms the record's marker.
    [[nodiscard]] virtual ingress::Task<Published> publish(Record record, SteadyTime answer_by) = 0;
};

}  // namespace sluice::publish
