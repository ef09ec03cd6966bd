#pragma once

#include <optional>
#include <string>
#include <vector>

#include "consumer/store/driver/connection.hpp"
#include "consumer/store/inbox/inbox.hpp"

/// Finished events of the inbox, for operators who have effects applied to them. No locks.
namespace sluice::store {

struct PastFilter {
    std::optional<InboxStatus> status{};  ///< done or ignored; nullopt: both
    bool of_any_status = false;           ///< where `status` is none: unfinished and skipped ones too
    std::optional<std::string> source{};
    std::optional<std::string> type{};
    std::optional<std::string> object_key{};
    std::optional<WallTime> since{};  ///< received then or later
    std::optional<WallTime> until{};  ///< received earlier
};

struct PastEvent {
    InboxRow row;
    std::optional<std::string> headers;  ///< of its archived request; nullopt: it is not archived, or gone
    bool erased = false;  ///< it is gone, and data of the object were erased since the event was finished
    bool has_messages = false;  ///< in the outbox, sent or not
};

/// A part of the inbox.
struct PastPage {
    std::vector<PastEvent> events;   ///< those of the filter, in the order of their keys
    std::optional<InboxKey> next{};  ///< where to go on; nullopt: that was all
};

/// Before every key.
inline constexpr InboxKey first_key{.event_day = record::undated, .dedup_key = {}};

/// Reads the next thousand rows behind `after`, so that no statement takes long however large the inbox is
/// and however little of it the filter takes.
[[nodiscard]] Result<PastPage> past_events(Connection& connection, const PastFilter& filter,
                                           const InboxKey& after);

/// Of one event; nullopt where it has no row.
[[nodiscard]] Result<std::optional<PastEvent>> past_event(Connection& connection, const InboxKey& key);

}  // namespace sluice::store
