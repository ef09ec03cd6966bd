#include "consumer/main_role/enter_lane.hpp"

#include "common/error.hpp"
#include "common/failpoint.hpp"
#include "consumer/apply/in_force.hpp"
#include "consumer/apply/inbox_rows.hpp"
#include "consumer/apply/unfit_record.hpp"
#include "consumer/lane/rules/run_or_park.hpp"
#include "consumer/lane/run/rulings.hpp"
#include "consumer/store/driver/open_transaction.hpp"
#include "consumer/store/lane/lane_rows.hpp"

namespace sluice::consumer {

Result<LaneEnd> EnterLane::run(Item& item, const Entry& entry, store::Connection& connection) {
    const lane::Row& failed = entry.ruling.row;
    const bool is_dead = failed.status == lane::Status::dead;
    store::InboxEntry row =
        inbox_entry(item, context_.rules, store::inbox_status_of(failed.status), std::nullopt);
    row.dlq = is_dead ? store::DlqRecord::owed : store::DlqRecord::none;
    row.error_class = entry.ruling.error_class;
    row.error_text = entry.reason;

    auto open = store::OpenTransaction::begin(connection);
    if (!open) return Failure{open.error()};
    const auto is_new = insert_event(item, row, context_.rules.payload, connection);
    if (!is_new) return Failure{is_new.error()};
    if (!*is_new) return LaneEnd{.kind = LaneEnd::Kind::known};
    auto lane = store::make_lane(connection, ObjectKey{item.record}, context_.clock.wall());
    if (!lane) return Failure{lane.error()};
    // One that may not run here is dead where it stands, behind others too.
    const bool takes_any_place = entry.ruling.error_class == keys_changed_class;
    if (lane::admit(lane->lane) == lane::Admission::park && !takes_any_place)
        return LaneEnd{.kind = LaneEnd::Kind::start_over};
    if (auto done = append(item, entry, *lane, connection); !done) return Failure{done.error()};
    if (is_dead) {
        if (auto done = open_dead_letter(item, entry, &*lane, nullptr, connection); !done)
            return Failure{done.error()};
    }
    if (FP("consumer.before_enter_commit")) return Failure{errc::injected};
    if (auto still = still_in_force(connection, context_.rules); !still) return Failure{still.error()};
    if (auto committed = open->commit(); !committed) return Failure{committed.error()};
    (void)FP("consumer.after_enter_commit");
    return LaneEnd{.kind = LaneEnd::Kind::entered, .owes = true};
}

Result<LaneEnd> EnterLane::run_undecodable(const Item& item, const Entry& entry, std::string_view topic_id,
                                           store::Connection& connection) {
    auto open = store::OpenTransaction::begin(connection);
    if (!open) return Failure{open.error()};
    auto lane = store::make_lane(connection, ObjectKey{item.record}, context_.clock.wall());
    if (!lane) return Failure{lane.error()};
    if (auto done = append(item, entry, *lane, connection); !done) return Failure{done.error()};
    const store::DeadLetterRecord seen{.seen_once = seen_once(topic_id, item.record)};
    const auto opened = open_dead_letter(item, entry, &*lane, &seen, connection);
    if (!opened) return Failure{opened.error()};
    if (!*opened) return LaneEnd{.kind = LaneEnd::Kind::known};
    if (auto committed = open->commit(); !committed) return Failure{committed.error()};
    return LaneEnd{.kind = LaneEnd::Kind::entered, .owes = true};
}

Result<void> EnterLane::append(const Item& item, const Entry& entry, store::LockedLane& lane,
                               store::Connection& connection) {
    const WallTime now = context_.clock.wall();
    lane::Row row = entry.ruling.row;
    row.position = lane.next_position();
    const auto names = effects_to_keep(item, context_.rules);
    const RecordToKeep record{item, context_.rules.kafka.topic};
    const store::LaneRow columns{
        .row = row, .effects = names, .error_class = entry.ruling.error_class, .error_text = entry.reason};
    if (auto done = store::append_event(connection, lane, columns, record.row()); !done) return done;
    return store::write_lane(connection, lane, lane::enter(lane.lane, row, now), now);
}

Result<std::optional<std::int64_t>> EnterLane::open_dead_letter(const Item& item, const Entry& entry,
                                                                const store::LockedLane* lane,
                                                                const store::DeadLetterRecord* record,
                                                                store::Connection& connection) {
    const ObjectKey object{item.record};
    const store::LanePlace place =
        lane != nullptr ? store::LanePlace{lane->key, lane->last_position} : store::LanePlace{};
    store::DeadLetter dead_letter =
        dead_letter_of({item, context_.rules.kafka.topic, object, entry.ruling, entry.reason}, place);
    if (lane == nullptr) dead_letter.place.reset();
    if (record != nullptr) dead_letter.record = *record;
    return store::open_dead_letter(connection, dead_letter, context_.clock.wall());
}

}  // namespace sluice::consumer
