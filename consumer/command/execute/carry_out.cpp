#include "consumer/command/execute/carry_out.hpp"

#include "common/error.hpp"
#include "common/failpoint.hpp"
#include "consumer/apply/in_force.hpp"
#include "consumer/apply/inbox_rows.hpp"
#include "consumer/apply/own_failures.hpp"
#include "consumer/apply/payment_said.hpp"
#include "consumer/lane/run/finish_row.hpp"
#include "consumer/lane/run/lane_end.hpp"
#include "consumer/lane/run/rulings.hpp"
#include "consumer/lane/run/stored_event.hpp"
#include "consumer/store/inbox/payload.hpp"
#include "consumer/telemetry/event_spans.hpp"

namespace sluice::consumer {
namespace {

using Kind = CarryOut::Answer::Kind;

CarryOut::Answer refused(std::string_view why) {
    return {.kind = Kind::refused, .why = why};
}

std::string traceparent_in(store::StoredRecord record) {
    return std::string{traceparent_of(stored_event(std::move(record), {}).record)};
}

std::optional<store::ActionApproval> approval_in(const command::Command& command) {
    if (!command.approval) return std::nullopt;
    return store::ActionApproval{.operator_name = command.approval->operator_name,
                                 .reason = command.approval->reason,
                                 .approved_at = command.approval->approved_at};
}

lane::Action lane_action(store::ActionKind kind) {
    switch (kind) {
        case store::ActionKind::retry:
            return lane::Action::retry;
        case store::ActionKind::edit:
            return lane::Action::edit;
        default:
            return lane::Action::skip;
    }
}

}  // namespace

/// The event that a command names, under its lane's lock.
struct CarryOut::Target {
    const command::Command& command;
    store::Connection& connection;
    store::LockedLane lane;
    std::optional<lane::Position> position;  ///< of an undecodable record, which has no inbox row
    std::string_view objection;              ///< against running it again; empty: none
    bool is_consistent = true;               ///< its inbox row is that of an unfinished event, as it must be
    const store::DeadLetterRow* dead_letter = nullptr;  ///< that an inbox row may be made of; may be none
};

Result<CarryOut::Answer> CarryOut::refuse(const command::Command& command, std::string_view why,
                                          store::Connection& connection) {
    return write_refusal(command, refused(why), connection);
}

Result<CarryOut::Answer> CarryOut::run(const command::Command& command, store::Connection& connection) {
    if (command.action == store::ActionKind::rerun) return rerun(command, connection);
    if (!command.dead_letter) return in_lane(command, nullptr, connection);
    const auto dead_letter = store::find_dead_letter(connection, *command.dead_letter);
    if (!dead_letter) return Failure{dead_letter.error()};
    if (!*dead_letter) return in_lane(command, nullptr, connection);
    if ((*dead_letter)->kind == store::DeadLetterKind::newer) return refuse(command, "newer", connection);
    // Ids are given out again after a fail-over that lost some.
    if ((*dead_letter)->object_key != command.object_key) return refuse(command, "other_object", connection);
    if ((*dead_letter)->kind == store::DeadLetterKind::message)
        return of_message(command, **dead_letter, connection);
    if (!(*dead_letter)->place) return of_entry(command, **dead_letter, connection);
    // A second operator is shown the entry.
    if (command.event && command.event != (*dead_letter)->inbox)
        return refuse(command, "other_object", connection);
    // Without an event the place alone says what is meant, and only as long as the entry is open.
    if (!command.event && !(*dead_letter)->is_open()) return refuse(command, "finished", connection);
    return in_lane(command, &**dead_letter, connection);
}

Result<CarryOut::Answer> CarryOut::in_lane(const command::Command& command,
                                           const store::DeadLetterRow* dead_letter,
                                           store::Connection& connection) {
    auto answer = in_lane(command, dead_letter, connection, true);
    const bool is_skip = command.action == store::ActionKind::skip;
    if (!answer && is_skip && may_be_the_events(answer.error()))
        answer = in_lane(command, dead_letter, connection, false);
    return answer;
}

Result<CarryOut::Answer> CarryOut::in_lane(const command::Command& command,
                                           const store::DeadLetterRow* dead_letter,
                                           store::Connection& connection, bool gives_inbox_row) {
    const auto place = dead_letter != nullptr ? dead_letter->place : std::nullopt;
    const auto against = objection_in_lane(command, place, connection);
    if (!against) return Failure{against.error()};
    auto open = store::OpenTransaction::begin(connection);
    if (!open) return Failure{open.error()};
    const auto key = place ? place->lane : store::lane_key_of(command.object_key);
    auto locked = store::lock_lane(connection, key);
    if (!locked) return Failure{locked.error()};
    Result<Answer> answer = refused("finished");
    if (*locked) {
        Target target{command, connection, std::move(**locked), std::nullopt, *against};
        if (place) target.position = place->position;
        if (gives_inbox_row) target.dead_letter = dead_letter;
        const auto overtaken = is_overtaken(command, connection);
        if (!overtaken) return Failure{overtaken.error()};
        answer = *overtaken ? Result<Answer>{refused("overtaken")} : obey(target);
    }
    if (!answer) return answer;
    const auto is_new = write_down(command, *answer, connection);
    if (!is_new) return Failure{is_new.error()};
    if (!*is_new) return Answer{.kind = Kind::before};
    if (auto committed = commit(*open, connection); !committed) return Failure{committed.error()};
    return answer;
}

Result<void> CarryOut::commit(store::OpenTransaction& open, store::Connection& connection) const {
    if (FP("consumer.before_command_commit")) return Failure{errc::injected};
    if (auto still = still_in_force(connection, context_.rules); !still) return still;
    return open.commit();
}

Result<bool> CarryOut::is_overtaken(const command::Command& command, store::Connection& connection) {
    if (!command.approval || !command.dead_letter) return false;
    const auto dead_letter = store::find_dead_letter(connection, *command.dead_letter);
    if (!dead_letter) return Failure{dead_letter.error()};
    return !*dead_letter || !(*dead_letter)->is_open();
}

Result<CarryOut::Answer> CarryOut::obey(Target& target) {
    if (target.command.action == store::ActionKind::close) return refused("holds_a_lane");
    const auto row = find(target.command, target.lane.key, target.position, target.connection);
    if (!row) return Failure{row.error()};
    const auto status = inbox_status(target);
    if (!status) return Failure{status.error()};
    if (*status == store::InboxStatus::newer) return refused("newer");
    target.is_consistent = !target.command.event || (*status && store::is_unfinished(**status));
    if (!target.is_consistent && target.dead_letter != nullptr &&
        target.dead_letter->error_class == set_apart_class) {
        const auto has_one = give_inbox_row(target);
        if (!has_one) return Failure{has_one.error()};
        target.is_consistent = *has_one;
    }
    const lane::Reply reply =
        lane::obey(lane_action(target.command.action), *row, target.lane.lane.wakeup, context_.clock.wall());
    switch (reply.kind) {
        case lane::Reply::Kind::skipped:
            return skip(target, reply);
        case lane::Reply::Kind::run_again:
            return run_again(target, reply);
        case lane::Reply::Kind::refused:
            break;
    }
    return refused(reply.why);
}

Result<std::optional<store::InboxStatus>> CarryOut::inbox_status(const Target& target) {
    if (!target.command.event) return std::nullopt;
    const auto row = store::find(target.connection, *target.command.event);
    if (!row) return Failure{row.error()};
    return *row ? std::optional{(*row)->status} : std::nullopt;
}

Result<bool> CarryOut::give_inbox_row(const Target& target) {
    const store::DeadLetterRow& dead_letter = *target.dead_letter;
    if (!dead_letter.inbox || !dead_letter.content_digest) return false;
    const store::InboxEntry entry{.key = *dead_letter.inbox,
                                  .content_digest = *dead_letter.content_digest,
                                  .source = dead_letter.source,
                                  .event_id = dead_letter.event_id,
                                  .type = dead_letter.type,
                                  .object_key = dead_letter.object_key,
                                  .status = store::InboxStatus::dead,
                                  .topic = dead_letter.topic,
                                  .partition = dead_letter.partition,
                                  .offset = dead_letter.offset,
                                  .received_at = dead_letter.first_failed_at,
                                  .finished_at = std::nullopt,
                                  .error_class = dead_letter.error_class,
                                  .error_text = dead_letter.error_text,
                                  .reference = dead_letter.reference,
                                  .transaction = dead_letter.transaction};
    return store::insert_unless_known(target.connection, entry);
}

Result<std::optional<lane::Row>> CarryOut::find(const command::Command& command, const store::LaneKey& lane,
                                                std::optional<lane::Position> position,
                                                store::Connection& connection) {
    if (command.event) return store::find_event(connection, lane, *command.event);
    if (position) return store::find_event_at(connection, lane, *position);
    return std::nullopt;
}

/// Before the lane is locked: the whole of a delivery may have to be fetched from Kafka. Bodies of rows are
/// changed by edits alone, and an edited one is not verified.
Result<std::string_view> CarryOut::objection_in_lane(const command::Command& command,
                                                     const std::optional<store::LanePlace>& place,
                                                     store::Connection& connection) {
    const bool runs_again =
        command.action == store::ActionKind::retry || command.action == store::ActionKind::edit;
    if (!runs_again) return std::string_view{};
    const auto key = place ? place->lane : store::lane_key_of(command.object_key);
    const auto position = place ? std::optional{place->position} : std::nullopt;
    const auto row = find(command, key, position, connection);
    if (!row) return Failure{row.error()};
    if (!*row) return std::string_view{};
    auto record = store::read_record(connection, key, (*row)->position);
    if (!record) return Failure{record.error()};
    if (!*record || ((*record)->edited && !command.edit)) return std::string_view{};
    return objection(command, stored_event(std::move(**record), command.object_key).record);
}

Result<CarryOut::Answer> CarryOut::skip(Target& target, const lane::Reply& reply) {
    const WallTime now = context_.clock.wall();
    auto record = store::read_record(target.connection, target.lane.key, reply.row.position);
    if (!record) return Failure{record.error()};
    const RowEnd end = end_without_effects(*record ? (*record)->had : std::nullopt, store::ClosedAs::skipped);
    const std::string traceparent = *record ? traceparent_in(std::move(**record)) : std::string{};
    const auto inbox = target.is_consistent ? target.command.event : std::nullopt;
    auto done = finish_row(target.connection, target.lane, reply.row.position, inbox, end, now);
    if (done) done = store::write_lane(target.connection, target.lane, reply.wakeup, now);
    if (!done) return Failure{done.error()};
    return Answer{.traceparent = traceparent};
}

Result<CarryOut::Answer> CarryOut::run_again(Target& target, const lane::Reply& reply) {
    auto record = store::read_record(target.connection, target.lane.key, reply.row.position);
    if (!record) return Failure{record.error()};
    if (!*record) return refused("finished");
    const bool is_rerun = (*record)->had.has_value();
    auto names = std::move((*record)->effects);
    const Item item = stored_event(std::move(**record), target.command.object_key);
    if (!target.objection.empty()) return refused(target.objection);
    if (!target.is_consistent) return refused("inconsistent");

    const WallTime now = context_.clock.wall();
    Result<void> done;
    if (target.command.edit) done = edit(target, item, reply.row);
    // Matched again: a deploy may have given the event other effects since it came. A rerun is about those
    // that were asked for: the others it had, or was not to have.
    if (!is_rerun) names = effects_after(target.command, item);
    if (done) done = store::write_event(target.connection, target.lane, {.row = reply.row, .effects = names});
    if (done && target.command.event)
        done = store::change_unfinished(
            target.connection, *target.command.event,
            {.status = is_rerun ? store::InboxStatus::rerun : store::InboxStatus::retry});
    if (done) done = store::write_lane(target.connection, target.lane, reply.wakeup, now);
    if (!done) return Failure{done.error()};
    const auto closed = store::close_dead_letters(target.connection, {target.lane.key, reply.row.position},
                                                  store::ClosedAs::retried, now);
    if (!closed) return Failure{closed.error()};
    return Answer{.traceparent = std::string{traceparent_of(item.record)}};
}

std::string_view CarryOut::objection(const command::Command& command, const Record& record,
                                     std::string_view delivery) const {
    if (command.edit) return command::has_its_body(command) ? std::string_view{} : "body_differs";
    switch (delivery.empty() ? authenticity_.check(record) : authenticity_.check_item(record, delivery)) {
        case Authentic::no:
            return "not_authentic";
        case Authentic::unknown:
            return command.unverified ? std::string_view{} : "unverifiable";
        case Authentic::yes:
            break;
    }
    return {};
}

std::vector<std::string> CarryOut::effects_after(const command::Command& command, const Item& item) const {
    return command.edit ? effects_to_keep(item, context_.rules, command.edit->bytes)
                        : effects_to_keep(item, context_.rules);
}

std::string_view CarryOut::body_of(const command::Command& command, const Item& item) {
    return command.edit ? std::string_view{command.edit->bytes} : item.record.value;
}

Result<void> CarryOut::edit(Target& target, const Item& item, const lane::Row& row) {
    // What the provider signed is kept, regardless of inbox.payload.
    if (target.command.event && item.decoded) {
        const auto kept = store::find_payload(target.connection, *target.command.event);
        if (!kept) return Failure{kept.error()};
        if (!*kept) {
            const std::string headers = headers_as_json(item.record);
            const store::PayloadEntry payload{*target.command.event, headers, item.record.value};
            if (auto stored = store::insert_payloads(target.connection, {&payload, 1}); !stored)
                return stored;
        }
    }
    const std::string_view bytes = target.command.edit->bytes;
    const PaymentSaid said = item.decoded ? payment_said(item, context_.rules.sources, bytes) : PaymentSaid{};
    if (target.command.event) {
        auto found =
            store::write_numbers(target.connection, *target.command.event, said.reference, said.transaction);
        if (!found) return found;
    }
    return store::edit_event(target.connection, target.lane.key, row.position,
                             {bytes, said.reference, said.transaction});
}

Result<bool> CarryOut::write_down(const command::Command& command, const Answer& answer,
                                  store::Connection& connection) const {
    const bool was_refused = answer.kind == Kind::refused;
    return store::insert_action(
        connection, {.id = command.id,
                     .run = command.run,
                     .kind = command.action,
                     .answer = was_refused ? store::ActionAnswer::refused : store::ActionAnswer::carried_out,
                     .why = answer.why,
                     .object_key = command.object_key,
                     .inbox = command.event,
                     .dead_letter = command.dead_letter,
                     .operator_name = command.operator_name,
                     .reason = command.reason,
                     .database_user = command.database_user,
                     .host = command.host,
                     .requested_at = command.requested_at,
                     .carried_out_at = context_.clock.wall(),
                     .body_sha256 = command.edit ? std::optional{command.edit->sha256} : std::nullopt,
                     .approval = approval_in(command)});
}

}  // namespace sluice::consumer
