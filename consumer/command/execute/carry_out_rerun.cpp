#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "common/error.hpp"
#include "common/failpoint.hpp"
#include "consumer/apply/event.hpp"
#include "consumer/apply/in_force.hpp"
#include "consumer/apply/payment_said.hpp"
#include "consumer/apply/setback.hpp"
#include "consumer/command/execute/carry_out.hpp"
#include "consumer/command/execute/newcomer.hpp"
#include "consumer/effects/effect/kept_headers.hpp"
#include "consumer/effects/effect_set/rerun.hpp"
#include "consumer/record/record.hpp"
#include "consumer/store/dead_letter/operator_action.hpp"
#include "consumer/store/erasure/erasure.hpp"
#include "consumer/store/inbox/effect_names.hpp"
#include "consumer/store/inbox/inbox.hpp"
#include "consumer/store/inbox/payload.hpp"
#include "consumer/telemetry/event_spans.hpp"

/// The part of consumer/command/execute/carry_out.hpp that has a finished event run again, for effects that
/// it had not.
///
/// Its inbox row says that it is under way and its lane has a row for those effects, both or neither: from
/// there it takes its turn like any other event of its object. What had its turn before is not taken back.
namespace sluice::consumer {
namespace {

struct KeptRecord {
    std::vector<std::pair<std::string, std::string>> headers;
    std::string body;
    std::string key;
};

/// A finished event as the main role had polled it, from its inbox row and its archived request. The item
/// owns the record. nullopt: what is archived is not that event's request (that of an edited one may be a
/// whole delivery). The broker's time stamp is not kept: the time of receipt stands for it.
std::optional<Item> past_event(const store::InboxRow& row, store::Payload payload) {
    auto headers = effects::kept_headers(payload.headers);
    if (!headers || row.object_key.empty()) return std::nullopt;
    auto kept = std::make_shared<const KeptRecord>(
        KeptRecord{std::move(*headers), std::move(payload.body), row.object_key});
    Item item;
    item.record.at = {row.partition, row.offset, 0};
    item.record.key = kept->key;
    item.record.value = kept->body;
    item.record.appended_at = row.received_at;
    for (const auto& [name, value] : kept->headers) item.record.headers.push_back({name, value});
    item.record.owner = std::move(kept);
    const bool is_its_own =
        decode(item) && inbox_key(item) == row.key && item.event.content_digest == row.content_digest;
    return is_its_own ? std::optional{std::move(item)} : std::nullopt;
}

using Kind = CarryOut::Answer::Kind;

CarryOut::Answer not_rerun(std::string_view why) {
    return {.kind = Kind::refused, .why = why};
}

/// Its edited body was not kept, and the archived one is not what was applied.
bool was_edited(const std::vector<store::ActionRow>& actions) {
    return std::ranges::any_of(actions, [](const store::ActionRow& action) {
        return action.kind == store::ActionKind::edit && action.answer == store::ActionAnswer::carried_out;
    });
}

}  // namespace

/// A finished event as it is in the archive.
struct CarryOut::Past {
    std::optional<Item> item;
    std::string_view objection{};  ///< against running it; set where there is no item
};

Result<CarryOut::Past> CarryOut::without_payload(const store::InboxRow& row, store::Connection& connection) {
    const auto erased = store::erased_since(connection, row.object_key, row.finished_at.value_or(WallTime{}));
    if (!erased) return Failure{erased.error()};
    return Past{.item = {}, .objection = *erased ? "erased" : "no_payload"};
}

Result<CarryOut::Answer> CarryOut::rerun(const command::Command& command, store::Connection& connection) {
    // Before anything is locked: the whole of a delivery may have to be fetched from Kafka.
    const auto past = find_past(command, connection);
    if (!past) return Failure{past.error()};
    if (!past->objection.empty()) return refuse_rerun(command, not_rerun(past->objection), connection);
    auto open = store::OpenTransaction::begin(connection);
    if (!open) return Failure{open.error()};
    auto answer = put_in_lane(command, *past->item, connection);
    if (!answer) return answer;
    if (answer->kind == Kind::refused) {
        open->roll_back();
        return refuse_rerun(command, std::move(*answer), connection);
    }
    const auto is_new = write_down(command, *answer, connection);
    if (!is_new) return Failure{is_new.error()};
    if (!*is_new) return Answer{.kind = Kind::before};
    if (auto committed = commit(*open, connection); !committed) return Failure{committed.error()};
    return answer;
}

Result<CarryOut::Answer> CarryOut::refuse_rerun(const command::Command& command, Answer answer,
                                                store::Connection& connection) {
    (void)FP("consumer.before_rerun_refusal");
    if (auto still = still_in_force(connection, context_.rules); !still) return Failure{still.error()};
    return write_refusal(command, std::move(answer), connection);
}

Result<CarryOut::Past> CarryOut::find_past(const command::Command& command,
                                           store::Connection& connection) const {
    const auto row = store::find(connection, *command.event);
    if (!row) return Failure{row.error()};
    if (!*row) return Past{.item = {}, .objection = "unknown_event"};
    if ((*row)->object_key != command.object_key) return Past{.item = {}, .objection = "other_object"};
    auto payload = store::find_payload(connection, *command.event);
    if (!payload) return Failure{payload.error()};
    if (!*payload) return without_payload(**row, connection);
    const auto actions = store::actions_of_event(connection, *command.event);
    if (!actions) return Failure{actions.error()};
    if (was_edited(*actions)) return Past{.item = {}, .objection = "edited"};
    const auto dropped = store::dropped_before(connection);
    if (!dropped) return Failure{dropped.error()};
    auto item = past_event(**row, std::move(**payload));
    if (!item) return Past{.item = {}, .objection = "unreadable"};
    if (!has_source_of(*item, context_.rules.sources))
        return Past{.item = {}, .objection = source_unknown_class};
    if (is_too_old(*item, *dropped)) return Past{.item = {}, .objection = "too_old"};
    note_payment(*item, context_.rules.sources);
    const auto why = objection(command, item->record);
    return Past{.item = std::move(item), .objection = why};
}

Result<CarryOut::Answer> CarryOut::put_in_lane(const command::Command& command, const Item& item,
                                               store::Connection& connection) {
    // Of two reruns of one event, and of one beside a redelivery, the second waits here for the first.
    const auto row = store::find_locked(connection, *command.event);
    if (!row) return Failure{row.error()};
    if (!*row) return not_rerun("unknown_event");
    const effects::Rerun rerun =
        effects::rerun_of(**row, effects_for(item, context_.rules), context_.rules.effects, command.effect);
    if (!rerun.why.empty()) return not_rerun(rerun.why);
    // Erased since it was read: what was read must not come back.
    const auto payload = store::find_payload(connection, *command.event);
    if (!payload) return Failure{payload.error()};
    if (!*payload) {
        const auto why = without_payload(**row, connection);
        if (!why) return Failure{why.error()};
        return not_rerun(why->objection);
    }
    if (auto reopened = store::reopen(connection, *command.event); !reopened)
        return Failure{reopened.error()};
    const std::string had = store::effects_text(rerun.had);
    const Newcomer newcomer{.item = item,
                            .inbox = *command.event,
                            .object_key = command.object_key,
                            .topic = (*row)->topic,
                            .body = item.record.value,
                            .effects = rerun.effects,
                            .had_effects = had};
    if (auto done = let_in_lane(newcomer, connection, context_.clock.wall()); !done)
        return Failure{done.error()};
    return Answer{.traceparent = std::string{traceparent_of(item.record)}};
}

}  // namespace sluice::consumer
