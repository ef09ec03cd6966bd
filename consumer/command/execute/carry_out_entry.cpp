#include <set>
#include <utility>

#include "common/crypto/digest.hpp"
#include "consumer/apply/payment_said.hpp"
#include "consumer/command/execute/carry_out.hpp"
#include "consumer/command/execute/newcomer.hpp"
#include "consumer/lane/run/lane_end.hpp"
#include "consumer/lane/run/stored_event.hpp"
#include "consumer/store/driver/error.hpp"
#include "consumer/store/inbox/undated.hpp"
#include "consumer/telemetry/event_spans.hpp"

/// The part of consumer/command/execute/carry_out.hpp that is about entries which hold no lane.
namespace sluice::consumer {
namespace {

using Kind = CarryOut::Answer::Kind;

CarryOut::Answer refusal(std::string_view why) {
    return {.kind = Kind::refused, .why = why};
}

Item item_of(const store::DeadLetterRow& dead_letter) {
    return stored_event({.topic = dead_letter.topic,
                         .partition = dead_letter.partition,
                         .offset = dead_letter.offset,
                         .appended_at = dead_letter.first_failed_at,
                         .headers = dead_letter.headers.value_or(""),
                         .body = dead_letter.body.value_or("")},
                        dead_letter.object_key);
}

/// The inbox row of an event that an operator lets in although its id has one, or had one on a day that was
/// dropped: the same however often the event is delivered and asked for.
store::InboxKey key_of_entry(const Item& item) {
    std::string parts{crypto::as_text(item.event.dedup_key)};
    parts += crypto::as_text(item.event.content_digest);
    return {record::undated, crypto::sha256(parts)};
}

bool has_it_run_again(store::ActionKind action) {
    return action == store::ActionKind::retry || action == store::ActionKind::edit;
}

store::ClosedAs closed_by(store::ActionKind action) {
    if (has_it_run_again(action)) return store::ClosedAs::retried;
    return action == store::ActionKind::skip ? store::ClosedAs::skipped : store::ClosedAs::closed;
}

std::vector<std::string> objects_of(std::span<const Item> events) {
    std::set<std::string> objects;
    for (const Item& event : events) objects.emplace(event.record.key);
    return {objects.begin(), objects.end()};
}

}  // namespace

Result<CarryOut::Answer> CarryOut::of_entry(const command::Command& command,
                                            const store::DeadLetterRow& dead_letter,
                                            store::Connection& connection) {
    Item item = item_of(dead_letter);
    const bool runs_again = has_it_run_again(command.action);
    const bool is_request = dead_letter.kind == store::DeadLetterKind::unreadable;
    auto events = is_request && runs_again ? events_of(command, item) : std::vector<Item>{};
    Answer answer{.objects = objects_of(events), .traceparent = std::string{traceparent_of(item.record)}};
    // Before anything is locked, as with a lane.
    const std::string_view against =
        runs_again && dead_letter.is_open() ? objection_to_entry(command, dead_letter, item, events) : "";

    auto open = store::OpenTransaction::begin(connection);
    if (!open) return Failure{open.error()};
    // The close decides who is first: it locks the entry until COMMIT.
    const auto closed = store::close_dead_letter(connection, dead_letter.id, closed_by(command.action),
                                                 context_.clock.wall());
    if (!closed) return Failure{closed.error()};
    if (*closed == 0) answer.refuse("finished");
    if (*closed == 1 && runs_again) {
        const auto let = !against.empty() ? refusal(against)
                         : is_request     ? let_request_in(command, dead_letter, events, item, connection)
                                          : let_in(command, dead_letter, item, connection);
        if (!let) return let;
        if (let->kind == Kind::refused) {
            open->roll_back();
            answer.refuse(let->why);
            if (let->why == came_meanwhile)
                return close_as_done(command, dead_letter, std::move(answer), connection);
            return write_refusal(command, std::move(answer), connection);  // the entry stays open
        }
    }
    const auto is_new = write_down(command, answer, connection);
    if (!is_new) return Failure{is_new.error()};
    if (!*is_new) {
        answer.kind = Kind::before;
        return answer;
    }
    if (auto committed = commit(*open, connection); !committed) return Failure{committed.error()};
    return answer;
}

std::string_view CarryOut::objection_to_entry(const command::Command& command,
                                              const store::DeadLetterRow& dead_letter, const Item& item,
                                              std::span<const Item> events) const {
    if (dead_letter.kind == store::DeadLetterKind::unreadable)
        return objection_to_request(command, item, events);
    if (!item.decoded) return "unreadable";
    return objection(command, item.record);
}

Result<std::string_view> CarryOut::objection_to_conflict(const command::Command& command, const Item& item,
                                                         store::Connection& connection) const {
    const auto row = store::find(connection, inbox_key(item));
    if (!row) return Failure{row.error()};
    const bool is_copy = *row && (*row)->source != item.event.source &&
                         are_peers((*row)->source, item.event.source, context_.rules.sources);
    if (is_copy) return came_meanwhile;
    const bool has_looked = command.unverified || command.edit;
    return has_looked ? std::string_view{} : "conflict";
}

Result<CarryOut::Answer> CarryOut::write_refusal(const command::Command& command, Answer answer,
                                                 store::Connection& connection) {
    const auto is_new = write_down(command, answer, connection);
    if (!is_new) return Failure{is_new.error()};
    if (!*is_new) answer.kind = Kind::before;
    return answer;
}

Result<CarryOut::Answer> CarryOut::let_in(const command::Command& command,
                                          const store::DeadLetterRow& dead_letter, Item& item,
                                          store::Connection& connection) {
    const WallTime now = context_.clock.wall();
    // It is found by what it is applied with.
    if (command.edit && item.decoded)
        item.payment = payment_said(item, context_.rules.sources, command.edit->bytes);
    store::InboxEntry entry = inbox_entry(item, context_.rules, store::InboxStatus::retry, std::nullopt);
    entry.topic = dead_letter.topic;
    // One that was set apart and could not be given a place in its lane was never applied: its own key.
    if (!store::is_of_an_event(dead_letter.kind)) entry.key = key_of_entry(item);
    const auto came = store::came_before(connection, entry.key);
    if (!came) return Failure{came.error()};
    if (*came) return refusal(came_meanwhile);
    if (dead_letter.kind == store::DeadLetterKind::conflict) {
        const auto against = objection_to_conflict(command, item, connection);
        if (!against) return Failure{against.error()};
        if (!against->empty()) return refusal(*against);
    }
    if (auto inserted = store::insert(connection, {&entry, 1}); !inserted) {
        if (store::class_of(inserted.error()) == store::ErrorClass::duplicate) return refusal(came_meanwhile);
        return Failure{inserted.error()};
    }
    const std::string_view body = body_of(command, item);
    const auto names = effects_after(command, item);
    const Newcomer newcomer{.item = item,
                            .inbox = entry.key,
                            .object_key = dead_letter.object_key,
                            .topic = dead_letter.topic,
                            .body = body,
                            .edited = command.edit.has_value(),
                            .effects = names};
    if (auto done = let_in_lane(newcomer, connection, now); !done) return Failure{done.error()};
    return Answer{};
}

}  // namespace sluice::consumer
