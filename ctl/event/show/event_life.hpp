#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/clock.hpp"
#include "consumer/store/callback/callback_list.hpp"
#include "consumer/store/erasure/erasure.hpp"
#include "consumer/store/inbox/inbox.hpp"
#include "consumer/store/outbox/outbox_list.hpp"
#include "ctl/cli/json.hpp"
#include "ctl/entry/history.hpp"
#include "ctl/event/show/fetched_record.hpp"

namespace sluice::ctl {

/// What is known of one event, from request to commit.
struct EventLife {
    store::InboxRow row;
    std::optional<std::size_t> payload_bytes;  ///< of the archived body; nullopt: not archived
    std::optional<std::string> body{};         ///< the archived one, as it is shown before it is masked
    std::string sealed_because{};              ///< why its encrypted part is not opened; empty: it is
    std::optional<FetchedRecord> record;
    std::string no_record_because;                   ///< set when there is no record
    Trouble trouble{};                               ///< empty for an event that never failed
    std::optional<store::Erasure> erased{};          ///< of its object, where its request is not archived
    std::vector<store::MessageRow> messages{};       ///< that its effects send, in their order
    std::vector<store::ListedCallback> callbacks{};  ///< that brought it, the newest 50; none are recorded:
                                                     ///< none
    std::vector<std::pair<std::string, std::string>> archived_headers{};  ///< with the body
};

/// One step with the time since the one before it.
struct LifeStep {
    std::string name;  ///< "provider", "received", "published", "finished"
    std::string what;  ///< for people
    std::optional<WallTime> at;
    std::optional<std::chrono::microseconds> after;
};

/// Pure. Steps whose time is not known keep their place and are skipped when times are compared.
/// The provider's time is in whole seconds for most, so the first difference is a rough one; the record's
/// is in milliseconds.
[[nodiscard]] std::vector<LifeStep> steps_of(const EventLife& life);

/// The id of the reconciliation that found the event missing and injected it, as the record says or else the
/// archive; empty: it came by itself.
[[nodiscard]] std::string reconciled_by(const EventLife& life);

/// "owes none", "owed", "sent"
[[nodiscard]] std::string dlq_text(store::DlqRecord record);

[[nodiscard]] Json to_json(const EventLife& life);
[[nodiscard]] std::string to_people(const EventLife& life, WallTime now);

}  // namespace sluice::ctl
