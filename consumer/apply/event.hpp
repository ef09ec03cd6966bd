#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/config/settings/connections.hpp"
#include "common/webhook/recipe/source.hpp"
#include "consumer/effects/effect_set/effect_set.hpp"
#include "consumer/lane/rules/retry_topics.hpp"
#include "consumer/record/record.hpp"
#include "consumer/store/inbox/inbox.hpp"
#include "consumer/store/lane/lane.hpp"

namespace sluice::consumer {

class EffectHolds;
class OutboxBell;

/// What all workers share; not changed after start-up.
struct Rules {
    const effects::EffectSet& effects;
    const webhook::SourceSet& sources;
    const config::KafkaSettings& kafka;
    RetryTopics retry_topics;
    config::InboxSettings::Payload payload = config::InboxSettings::Payload::all;
    EffectHolds* holds = nullptr;      ///< null: none is ever held
    effects::Timing* times = nullptr;  ///< null: not measured
    OutboxBell* bell = nullptr;        ///< null: no relay to wake
};

/// Reads an item's headers into `item.event`, without those of the request (`http`). False where the record
/// lacks what it must carry.
[[nodiscard]] bool decode(Item& item);

[[nodiscard]] store::InboxKey inbox_key(const Item& item);

/// The lane of the item's object.
[[nodiscard]] const store::LaneKey& lane_of(Item& item);

/// The inbox row of an item, whose payment is noted; its views live as long as the item and `rules`.
[[nodiscard]] store::InboxEntry inbox_entry(Item& item, const Rules& rules, store::InboxStatus status,
                                            std::optional<WallTime> finished_at);

/// Its inbox row, if there ever was one, may be gone: days before `dropped_before` were dropped, or will be.
[[nodiscard]] bool is_too_old(const Item& item, std::optional<std::chrono::sys_days> dropped_before) noexcept;

/// Whether an event is the one of that inbox row: of the same content, or a copy from another source of the
/// account, where it may look different. Otherwise the two are a conflict.
[[nodiscard]] bool is_the_same(const store::InboxRow& row, const Item& item,
                               const webhook::SourceSet& sources);

/// The record's headers, separated, as a JSON array of [name, value] pairs. Values are UTF-8 text; bytes that
/// are not are replaced.
[[nodiscard]] std::string headers_as_json(const Record& record);

/// Whether a source of this configuration has the event's provider and principal. Where none has, this
/// process cannot say which effects it is for: it waits for a process that knows, and is never ignored.
[[nodiscard]] bool has_source_of(const Item& item, const webhook::SourceSet& sources);

/// The source whose recipe reads this event's body: of its provider and principal the one named in the
/// record, else another, else one of its provider (a source may have been renamed or removed while its
/// events waited, and its name given to another account's). nullptr when there is none.
[[nodiscard]] const webhook::Source* source_of(const Item& item, const webhook::SourceSet& sources);

/// The effects that match the event, in file order. Its body is read where one of them asks what it says, of
/// a payment or at some place; where that cannot be told (no source, a body that cannot be read) it may be
/// anything, so that such an event is never ignored: its run says what is wrong.
[[nodiscard]] std::vector<const effects::Effect*> effects_for(const Item& item, const Rules& rules);
/// The same with another body: an edited one.
[[nodiscard]] std::vector<const effects::Effect*> effects_for(const Item& item, const Rules& rules,
                                                              std::string_view edited_body);

/// Whether the ingress made the record's keys differently from this file for its account, whose sources all
/// make them alike (common/webhook/source_file/source_rules.hpp). False where the record does not say (an
/// older ingress), where no source here has its account, and where its id stood behind all places of this
/// file.
[[nodiscard]] bool has_other_keys(const Item& item, const webhook::SourceSet& sources);

/// Whether two names of sources are two endpoints of one account, both in this process's file. A provider may
/// say one event differently to each of them (Stripe: by the endpoint's API version).
[[nodiscard]] bool are_peers(std::string_view a, std::string_view b, const webhook::SourceSet& sources);

}  // namespace sluice::consumer
