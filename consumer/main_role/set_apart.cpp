#include <array>

#include "common/error.hpp"
#include "common/failpoint.hpp"
#include "common/record/header_bytes.hpp"
#include "consumer/apply/own_failures.hpp"
#include "consumer/apply/payment_said.hpp"
#include "consumer/apply/unfit_record.hpp"
#include "consumer/lane/run/rulings.hpp"
#include "consumer/main_role/enter_lane.hpp"
#include "consumer/store/driver/open_transaction.hpp"

/// The part of consumer/main_role/enter_lane.hpp that is about events which our own tables refuse.
namespace sluice::consumer {
namespace {

/// Of the event; never its row in event_payload, which it can do without best.
struct Kept {
    bool inbox_row = false;
    bool lane = false;
    bool record = false;
};
// Which of the tables refuses is not known. The order is that of what is missed most: without its place in
// the lane the object's later events do not wait.
constexpr std::array<Kept, 5> less_and_less{{{.inbox_row = true, .lane = true, .record = true},
                                             {.inbox_row = false, .lane = true, .record = true},
                                             {.inbox_row = false, .lane = true, .record = false},
                                             {.inbox_row = false, .lane = false, .record = true},
                                             {.inbox_row = false, .lane = false, .record = false}}};

std::string told(std::string_view why, const Kept& kept) {
    std::string reason =
        "MySQL refused three times to write this event to sluice's own tables: " + std::string{why};
    if (!kept.lane)
        reason += "; its lane cannot hold it either, so later events of its object do not wait for it";
    if (!kept.record) reason += "; its headers and body could not be stored either: Kafka has them";
    return reason;
}

Item as_kept(const Item& item, const Kept& kept, const webhook::SourceSet& sources, WallTime now) {
    Item copy = item;
    note_payment(copy, sources);
    if (kept.record) return copy;
    copy.record.value = {};
    copy.record.headers.clear();
    copy.record.appended_at = now;
    return copy;
}

}  // namespace

Result<EnterLane::Apart> EnterLane::write_refused(const Item& item, std::string_view why,
                                                  std::string_view topic_id, store::Connection& connection) {
    std::error_code refused;
    for (const Kept& kept : less_and_less) {
        if (kept.inbox_row && !item.decoded) continue;
        Item copy = as_kept(item, kept, context_.rules.sources, context_.clock.wall());
        const std::string reason = told(why, kept);
        lane::Row tried;
        tried.attempts = 3;
        const lane::Ruling ruling = death(tried, set_apart_class, context_.clock.wall());
        const Refused row{.entry = {ruling, reason}, .topic_id = topic_id, .with_inbox_row = kept.inbox_row};
        auto apart =
            kept.lane ? refused_in_lane(copy, row, connection) : refused_alone(copy, row, connection);
        if (apart || !may_be_the_events(apart.error())) return apart;
        refused = apart.error();
    }
    return Failure{refused};
}

Result<EnterLane::Apart> EnterLane::refused_in_lane(Item& item, const Refused& row,
                                                    store::Connection& connection) {
    auto open = store::OpenTransaction::begin(connection);
    if (!open) return Failure{open.error()};
    if (row.with_inbox_row) {
        store::InboxEntry entry = inbox_entry(item, context_.rules, store::InboxStatus::dead, std::nullopt);
        entry.dlq = store::DlqRecord::owed;
        entry.error_class = row.entry.ruling.error_class;
        entry.error_text = row.entry.reason;
        const auto is_new = store::insert_unless_known(connection, entry);
        if (!is_new) return Failure{is_new.error()};
        if (!*is_new) return Apart{.is_new = false};
    }
    auto lane = store::make_lane(connection, ObjectKey{item.record}, context_.clock.wall());
    if (!lane) return Failure{lane.error()};
    if (auto done = append(item, row.entry, *lane, connection); !done) return Failure{done.error()};
    const store::DeadLetterRecord seen{.seen_once = seen_once(row.topic_id, item.record)};
    const auto opened = open_dead_letter(item, row.entry, &*lane, &seen, connection);
    if (!opened) return Failure{opened.error()};
    if (!*opened) return Apart{.is_new = false};
    if (FP("consumer.before_set_apart_commit")) return Failure{errc::injected};
    if (auto committed = open->commit(); !committed) return Failure{committed.error()};
    (void)FP("consumer.after_set_apart_commit");
    return Apart{.reason = std::string{row.entry.reason}};
}

Result<EnterLane::Apart> EnterLane::refused_alone(const Item& item, const Refused& row,
                                                  store::Connection& connection) {
    const std::string headers = record::header_bytes(item.record.headers).value_or("");
    const store::DeadLetterRecord record{
        .seen_once = seen_once(row.topic_id, item.record), .headers = headers, .body = item.record.value};
    auto open = store::OpenTransaction::begin(connection);
    if (!open) return Failure{open.error()};
    const auto opened = open_dead_letter(item, row.entry, nullptr, &record, connection);
    if (!opened) return Failure{opened.error()};
    if (!*opened) return Apart{.is_new = false};
    if (auto committed = open->commit(); !committed) return Failure{committed.error()};
    return Apart{.dead_letter = *opened, .reason = std::string{row.entry.reason}};
}

}  // namespace sluice::consumer
