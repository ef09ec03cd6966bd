#include <algorithm>

#include "common/error.hpp"
#include "consumer/apply/inbox_rows.hpp"
#include "consumer/command/execute/carry_out.hpp"
#include "consumer/command/execute/newcomer.hpp"
#include "consumer/lane/run/lane_end.hpp"
#include "consumer/quarantine/read_again.hpp"
#include "consumer/store/inbox/payload.hpp"
#include "consumer/store/inbox/undated.hpp"

/// The part of consumer/command/execute/carry_out.hpp that is about requests which the ingress could not
/// read.
///
/// Their events have never been applied and go by their own inbox keys: what the provider delivers again is
/// the same event, whichever of the two comes first.
namespace sluice::consumer {
namespace {

CarryOut::Answer not_let_in(std::string_view why) {
    return {.kind = CarryOut::Answer::Kind::refused, .why = why};
}

bool any_is_too_old(std::span<Item* const> events, std::optional<std::chrono::sys_days> dropped_before) {
    return std::ranges::any_of(events, [&](const Item* event) { return is_too_old(*event, dropped_before); });
}

}  // namespace

std::vector<Item> CarryOut::events_of(const command::Command& command, const Item& kept) const {
    const auto request = kept_request_from(kept.record.headers);
    const webhook::Source* source = request ? source_of(*request, context_.rules.sources) : nullptr;
    if (source == nullptr) return {};
    const std::string_view body = command.edit ? command.edit->bytes : kept.record.value;
    auto events = read_again(kept.record, *request, body, *source);
    return events ? std::move(*events) : std::vector<Item>{};
}

std::string_view CarryOut::objection_to_request(const command::Command& command, const Item& kept,
                                                std::span<const Item> events) const {
    if (events.empty()) return "unreadable";
    for (const Item& event : events) {
        const std::string_view delivery = event.event.item ? kept.record.value : std::string_view{};
        if (const auto why = objection(command, event.record, delivery); !why.empty()) return why;
    }
    return {};
}

Result<CarryOut::Answer> CarryOut::let_request_in(const command::Command& command,
                                                  const store::DeadLetterRow& dead_letter,
                                                  std::span<Item> events, const Item& kept,
                                                  store::Connection& connection) {
    const auto dropped = store::dropped_before(connection);
    if (!dropped) return Failure{dropped.error()};
    std::vector<Item*> fresh;
    for (Item& event : events) {
        const auto arrival = insert_own(command, dead_letter, event, kept, connection);
        if (!arrival) return Failure{arrival.error()};
        if (*arrival == Arrival::conflict) return not_let_in("conflict");
        if (*arrival == Arrival::fresh) fresh.push_back(&event);
    }
    if (fresh.empty()) return not_let_in(came_meanwhile);
    if (any_is_too_old(fresh, *dropped)) return not_let_in("too_old");
    // All inbox rows are there before the first lane is locked: the order of the main role.
    for (const Item* event : fresh) {
        const auto names = effects_to_keep(*event, context_.rules);
        const Newcomer newcomer{.item = *event,
                                .inbox = inbox_key(*event),
                                .object_key = event->record.key,
                                .topic = dead_letter.topic,
                                .body = event->record.value,
                                .edited = command.edit.has_value(),
                                .effects = names};
        if (auto done = let_in_lane(newcomer, connection, context_.clock.wall()); !done)
            return Failure{done.error()};
    }
    return Answer{};
}

Result<CarryOut::Arrival> CarryOut::insert_own(const command::Command& command,
                                               const store::DeadLetterRow& dead_letter, Item& event,
                                               const Item& kept, store::Connection& connection) const {
    store::InboxEntry entry = inbox_entry(event, context_.rules, store::InboxStatus::retry, std::nullopt);
    entry.topic = dead_letter.topic;
    const auto came = store::came_before(connection, entry.key);
    if (!came) return Failure{came.error()};
    const auto is_new = *came ? Result<bool>{false} : store::insert_unless_known(connection, entry);
    if (!is_new) return Failure{is_new.error()};
    if (!*is_new) {
        const auto row = store::find(connection, entry.key);
        if (!row) return Failure{row.error()};
        if (!*row) return Failure{errc::unlisted_row_count};  // 1062 said that it is there
        return is_the_same(**row, event, context_.rules.sources) ? Arrival::known : Arrival::conflict;
    }
    // What the provider signed is kept beside an operator's body, regardless of inbox.payload.
    const bool is_edited = command.edit.has_value();
    if (!is_edited && !keeps_payload(context_.rules.payload, entry.status)) return Arrival::fresh;
    const Record& signed_record = is_edited ? kept.record : event.record;
    const std::string headers = headers_as_json(signed_record);
    const store::PayloadEntry payload{entry.key, headers, signed_record.value};
    if (auto stored = store::insert_payloads(connection, {&payload, 1}); !stored)
        return Failure{stored.error()};
    return Arrival::fresh;
}

Result<CarryOut::Answer> CarryOut::close_as_done(const command::Command& command,
                                                 const store::DeadLetterRow& dead_letter, Answer answer,
                                                 store::Connection& connection) {
    auto open = store::OpenTransaction::begin(connection);
    if (!open) return Failure{open.error()};
    const auto closed =
        store::close_dead_letter(connection, dead_letter.id, store::ClosedAs::done, context_.clock.wall());
    if (!closed) return Failure{closed.error()};
    const auto is_new = write_down(command, answer, connection);
    if (!is_new) return Failure{is_new.error()};
    if (!*is_new) {
        answer.kind = Answer::Kind::before;
        return answer;
    }
    if (auto committed = open->commit(); !committed) return Failure{committed.error()};
    return answer;
}

}  // namespace sluice::consumer
