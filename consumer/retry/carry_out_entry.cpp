#include "common/crypto/digest.hpp"
#include "common/record/header_bytes.hpp"
#include "consumer/apply/inbox_rows.hpp"
#include "consumer/apply/lane_end.hpp"
#include "consumer/lane/arrival.hpp"
#include "consumer/lane_work/stored_event.hpp"
#include "consumer/retry/carry_out.hpp"
#include "consumer/store/open_transaction.hpp"

/// The part of consumer/retry/carry_out.hpp that is about entries which hold no lane.
namespace sluice::consumer {
namespace {

using Kind = CarryOut::Answer::Kind;

CarryOut::Answer refusal(std::string_view why) {
    return {.kind = Kind::refused, .why = why};
}

Item item_of(const store::LetterRow& letter) {
    return stored_event({.topic = letter.topic,
                         .partition = letter.partition,
                         .offset = letter.offset,
                         .appended_at = letter.first_failed_at,
                         .headers = letter.headers.value_or(""),
                         .body = letter.body.value_or("")},
                        letter.object_key);
}

/// The inbox row of an event that an operator lets in although its id has one, or had one on a day that was
/// dropped: never dropped itself, and the same however often it is asked for.
store::InboxKey key_of_entry(const Item& item, std::int64_t entry) {
    std::string parts{crypto::as_text(item.event.dedup_key)};
    parts += crypto::as_text(item.event.content_digest);
    parts += std::to_string(entry);
    return {record::undated, crypto::sha256(parts)};
}

}  // namespace

Result<CarryOut::Answer> CarryOut::of_entry(const command::Command& command, const store::LetterRow& letter,
                                            store::Connection& connection) {
    auto open = store::OpenTransaction::begin(connection);
    if (!open) return Failure{open.error()};
    const bool is_retry =
        command.action == store::ActionKind::retry || command.action == store::ActionKind::edit;
    const auto how = is_retry                                    ? store::ClosedAs::retried
                     : command.action == store::ActionKind::skip ? store::ClosedAs::skipped
                                                                 : store::ClosedAs::closed;
    Item item = item_of(letter);
    Answer answer;
    // The close says who is first: it locks the entry until COMMIT.
    const auto closed = store::close_letter(connection, letter.id, how, tools_.clock.wall());
    if (!closed) return Failure{closed.error()};
    if (*closed == 0) answer = refusal("finished");
    if (*closed == 1 && is_retry) {
        const auto let = let_in(command, letter, item, connection);
        if (!let) return let;
        if (let->kind == Kind::refused) {
            open->roll_back();  // the entry stays open
            return write_refusal(command, *let, connection);
        }
    }
    const auto is_new = write_down(command, answer, connection);
    if (!is_new) return Failure{is_new.error()};
    if (!*is_new) return Answer{.kind = Kind::before};
    if (auto committed = open->commit(); !committed) return Failure{committed.error()};
    return answer;
}

Result<CarryOut::Answer> CarryOut::write_refusal(const command::Command& command, const Answer& answer,
                                                 store::Connection& connection) {
    const auto is_new = write_down(command, answer, connection);
    if (!is_new) return Failure{is_new.error()};
    return *is_new ? answer : Answer{.kind = Kind::before};
}

Result<CarryOut::Answer> CarryOut::let_in(const command::Command& command, const store::LetterRow& letter,
                                          Item& item, store::Connection& connection) {
    if (!item.decoded) return refusal("unreadable");
    if (const auto why = objection(command, item.record); !why.empty()) return refusal(why);
    const WallTime now = tools_.clock.wall();
    store::InboxEntry entry = inbox_entry(item, tools_.rules, store::InboxStatus::retry, std::nullopt);
    entry.key = key_of_entry(item, letter.id);
    entry.topic = letter.topic;
    if (auto inserted = store::insert(connection, {&entry, 1}); !inserted) {
        if (store::class_of(inserted.error()) == store::ErrorClass::duplicate) return refusal("finished");
        return Failure{inserted.error()};
    }
    auto lane = store::make_lane(connection, letter.object_key, now);
    if (!lane) return Failure{lane.error()};
    lane::Row row;
    row.position = lane->next_position();
    row.status = lane::Status::retry;
    row.due_at = now;
    lane::Wake wake = lane::armed(lane->lane.wake, now);
    if (lane::admit(lane->lane) == lane::Admission::park) {
        row.status = lane::Status::parked;
        wake = lane->lane.wake;
    }
    const auto names = names_of(tools_.rules.effects.matching(item.event));
    const RecordToKeep kept{item, letter.topic};
    store::LaneRecord record = kept.row();
    record.inbox = entry.key;
    if (command.edit) {
        record.body = command.edit->bytes;
        record.edited = true;
    }
    auto done = store::append_event(connection, *lane, {.row = row, .effects = names}, record);
    if (done) done = store::write_lane(connection, *lane, wake, now);
    if (!done) return Failure{done.error()};
    return Answer{};
}

}  // namespace sluice::consumer
