#include "consumer/lane/run/row_run.hpp"

#include <algorithm>
#include <iterator>

#include "common/error.hpp"
#include "common/failpoint.hpp"
#include "consumer/apply/event.hpp"
#include "consumer/apply/in_force.hpp"
#include "consumer/apply/payment_said.hpp"
#include "consumer/apply/troubled_runs.hpp"
#include "consumer/lane/run/finish_row.hpp"
#include "consumer/lane/run/lane_end.hpp"
#include "consumer/lane/run/owed_records.hpp"
#include "consumer/lane/run/rulings.hpp"
#include "consumer/lane/run/stored_event.hpp"
#include "consumer/store/dead_letter/dead_letter.hpp"
#include "consumer/store/inbox/effect_names.hpp"
#include "consumer/store/inbox/undated.hpp"
#include "consumer/store/lane/lane_rows.hpp"

namespace sluice::consumer {
namespace {

constexpr std::size_t most_rows_remembered = 1000;

const store::EventFacts& facts_of(const store::LockedLane& lane, const lane::Row& row) {
    const auto at = std::ranges::find(lane.lane.front, row);
    return lane.facts.at(static_cast<std::size_t>(at - lane.lane.front.begin()));
}

}  // namespace

Result<RowRun::End> RowRun::run(store::Connection& connection, std::string_view object_key,
                                store::OpenTransaction open, store::LockedLane lane, const lane::Pass& pass,
                                const lane::Row& row) {
    auto record = store::read_record(connection, lane.key, row.position);
    if (!record) return Failure{record.error()};
    if (!*record) return Failure{errc::unlisted_row_count};  // we hold the lane: another session writes here
    Tried tried{.connection = connection,
                .object_key = object_key,
                .pass = pass,
                .row = row,
                .facts = facts_of(lane, row),
                .topic = (*record)->topic,
                .had = (*record)->had,
                .item = stored_event(std::move(**record), object_key)};
    if (const auto seen = failures_.find(place_of(tried)); seen != failures_.end())
        tried.item.failures = seen->second;
    tried.item.failures.attempts = row.attempts;
    tried.item.attempt = {
        .began = context_.clock.steady(), .topic = tried.topic, .is_told = row.status == lane::Status::retry};
    auto end = attempt(tried, std::move(open), lane);
    if (!end && end.error() == errc::unlisted_row_count) return unmatched(tried);
    if (!end && may_be_the_events(end.error()) && own_failures_.is_third(text_of(tried), end.error())) {
        return write_failure(tried,
                             {death(row, set_apart_class, context_.clock.wall()),
                              "MySQL refused three times to write this event to sluice's own tables: " +
                                  statement_failed(connection, end.error()).reason,
                              std::string{set_apart_class}});
    }
    return end;
}

Result<RowRun::End> RowRun::attempt(Tried& tried, store::OpenTransaction open, store::LockedLane& lane) {
    const WallTime now = context_.clock.wall();
    if (!tried.item.decoded) {
        open.roll_back();
        return write_failure(tried, {death(tried.row, "undecodable", now),
                                     "the record lacks required headers", "undecodable"});
    }
    const auto effects = effects_of(tried);
    if (!effects) return lacking(tried, std::move(open), lane, effects.error());
    if (!tried.facts.inbox) {
        const auto taken = take_in(tried);
        if (!taken) return Failure{taken.error()};
        if (*taken != TakenIn::fresh) return not_taken_in(tried, *taken, std::move(open), lane);
    }
    if (const auto run = one_.run(tried.item, *effects, tried.connection); !run) {
        open.roll_back();
        const Setback setback = counted(tried, run.error());
        const lane::Ruling ruling = ruling_on(setback, tried.row, context_.rules.effects, now);
        auto end = write_failure(
            tried, {ruling, setback.reason, subject_of(setback, ruling), reason_without_data(setback)});
        if (end && end->kind != End::Kind::start_over && setback.was_not_run) {
            forgive_once(tried.item.failures.troubled);
            remember(tried);
        }
        return end;
    }
    if (auto finished = finish(tried, open, lane); !finished) return Failure{finished.error()};
    if (!tried.item.failures.none()) failures_.erase(place_of(tried));
    context_.budget.succeeded(*effects);
    return End{};
}

Result<RowRun::TakenIn> RowRun::take_in(Tried& tried) {
    const auto dropped = store::dropped_before(tried.connection);
    if (!dropped) return Failure{dropped.error()};
    if (is_too_old(tried.item, *dropped)) return TakenIn::too_old;
    auto entry = inbox_entry(tried.item, context_.rules, store::InboxStatus::retry, std::nullopt);
    entry.topic = tried.topic;
    const auto came = store::came_before(tried.connection, entry.key);
    if (!came) return Failure{came.error()};
    const auto is_new = *came ? Result<bool>{false} : store::insert_unless_known(tried.connection, entry);
    if (!is_new) return Failure{is_new.error()};
    if (*is_new) return TakenIn::fresh;
    const auto row = store::find(tried.connection, entry.key);
    if (!row) return Failure{row.error()};
    const bool is_copy = !*row || is_the_same(**row, tried.item, context_.rules.sources);
    return is_copy ? TakenIn::copy : TakenIn::conflict;
}

Result<RowRun::End> RowRun::not_taken_in(Tried& tried, TakenIn why, store::OpenTransaction open,
                                         store::LockedLane& lane) {
    if (why == TakenIn::copy) return leave_to_copy(tried, std::move(open), lane);
    open.roll_back();
    const bool is_conflict = why == TakenIn::conflict;
    const std::string_view error_class = is_conflict ? "conflict" : "too_old";
    return write_failure(tried, {death(tried.row, error_class, context_.clock.wall()),
                                 is_conflict ? "its event id came before with different content"
                                             : "its day was dropped from the inbox",
                                 std::string{error_class}});
}

Result<RowRun::End> RowRun::leave_to_copy(Tried& tried, store::OpenTransaction open,
                                          store::LockedLane& lane) {
    const WallTime now = context_.clock.wall();
    const RowEnd end = end_without_effects(tried.had, store::ClosedAs::done);
    auto done = finish_row(tried.connection, lane, tried.row.position, std::nullopt, end, now);
    if (done) done = store::write_lane(tried.connection, lane, lane.lane.wakeup, now);
    if (done) done = still_in_force(tried.connection, context_.rules);
    if (done) done = open.commit();
    if (!done) return Failure{done.error()};
    context_.decisions.say(Disposition::duplicate, tried.item);
    return End{};
}

std::expected<RowRun::Effects, RowRun::Lack> RowRun::effects_of(Tried& tried) const {
    if (!has_source_of(tried.item, context_.rules.sources)) {
        return std::unexpected(
            Lack{source_unknown_class, std::string{source_unknown_class}, source_unknown(tried.item).reason});
    }
    auto& names = tried.facts.effects;
    if (store::is_matched(names)) {
        auto bound = effects_named(names);
        if (!bound || tried.had) return bound;  // a rerun has those that it was asked for
    }
    names = effects_to_keep(tried.item, context_.rules);
    return effects_named(names);
}

std::expected<RowRun::Effects, RowRun::Lack> RowRun::effects_named(std::span<const std::string> names) const {
    Effects found;
    for (const std::string& name : names) {
        const effects::Effect* effect = context_.rules.effects.find(name);
        if (effect == nullptr) {
            return std::unexpected(
                Lack{"effect_gone", name, "effect " + name + " is not in the configuration"});
        }
        found.push_back(effect);
    }
    return found;
}

Result<RowRun::End> RowRun::unmatched(Tried& tried) {
    (void)FP("consumer.before_inbox_look");
    std::optional<store::InboxRow> row;
    if (tried.facts.inbox) {
        auto found = store::find(tried.connection, *tried.facts.inbox);
        if (!found) return Failure{found.error()};
        row = std::move(*found);
    }
    if (row && row->status == store::InboxStatus::newer) {
        context_.decisions.say(Disposition::lacking, tried.item, {},
                               "its inbox row was written by a newer release");
        return End{.kind = End::Kind::newer};
    }
    // Whoever knew the status that we do not know has put it back meanwhile.
    if (row && store::is_unfinished(row->status) &&
        !own_failures_.is_third(text_of(tried), errc::unlisted_row_count))
        return End{.kind = End::Kind::start_over};
    // It is gone or finished: no matter why, the event's effects must not run again.
    return write_failure(tried, {death(tried.row, "inconsistent", context_.clock.wall()),
                                 "its inbox row is missing, or says that the event is finished"});
}

std::string RowRun::text_of(const Tried& tried) {
    return std::string{tried.object_key} + '/' + std::to_string(tried.row.position);
}

Setback RowRun::counted(Tried& tried, Setback setback) {
    Failures& failures = tried.item.failures;
    const auto lost_lock = [&] { return setback.database == store::ErrorClass::lost_lock; };
    failures.lost_locks = lost_lock() ? failures.lost_locks + 1 : 0;
    setback = as_counted(std::move(setback), failures.lost_locks);
    if (!lost_lock()) failures.lost_locks = 0;
    note_run(failures.troubled, setback, context_.clock.steady());
    remember(tried);
    return setback;
}

RowRun::Place RowRun::place_of(const Tried& tried) {
    return {std::string{tried.object_key}, tried.row.position, tried.item.record.at.offset};
}

void RowRun::remember(const Tried& tried) {
    const Place place = place_of(tried);
    if (tried.item.failures.none()) {
        failures_.erase(place);
        return;
    }
    if (failures_.size() >= most_rows_remembered && !failures_.contains(place)) failures_.clear();
    failures_.insert_or_assign(place, tried.item.failures);
}

Result<void> RowRun::finish(Tried& tried, store::OpenTransaction& open, store::LockedLane& lane) {
    const WallTime now = context_.clock.wall();
    auto all = tried.had.value_or(std::vector<std::string>{});
    std::ranges::copy(tried.facts.effects, std::back_inserter(all));
    const bool is_ignored = all.empty();
    const std::string had = store::effects_text(all);
    const RowEnd end{is_ignored ? store::InboxStatus::ignored : store::InboxStatus::done,
                     store::ClosedAs::done, had};
    if (FP("consumer.in_row_run")) return Failure{errc::injected};
    const store::InboxKey inbox = tried.facts.inbox.value_or(inbox_key(tried.item));
    auto done = finish_row(tried.connection, lane, tried.row.position, inbox, end, now);
    if (!done) return done;
    if (auto written = store::write_lane(tried.connection, lane, lane.lane.wakeup, now); !written)
        return written;
    if (auto still = still_in_force(tried.connection, context_.rules); !still) return still;
    if (auto committed = open.commit(); !committed) return committed;
    (void)FP("consumer.after_row_commit");
    context_.decisions.spans().committed(tried.item, tried.item.attempt.began);
    if (!tried.had)
        context_.decisions.committed(tried.item, now);  // for a rerun, the event's age means nothing
    context_.decisions.say(is_ignored ? Disposition::ignored : Disposition::done, tried.item);
    return {};
}

Result<RowRun::End> RowRun::lacking(Tried& tried, store::OpenTransaction open, store::LockedLane& lane,
                                    Lack lack) {
    const WallTime now = context_.clock.wall();
    const WallTime since = tried.facts.effects_missing_since.value_or(now);
    if (lane::on_missing_effect(since, context_.effects_grace, now) == lane::Lacking::dead) {
        open.roll_back();
        return write_failure(tried, {death(tried.row, lack.error_class, now), std::move(lack.reason),
                                     std::move(lack.subject)});
    }
    context_.decisions.say(Disposition::lacking, tried.item, lack.error_class, lack.reason);
    const store::LaneRow row{.row = tried.row,
                             .effects = tried.facts.effects,
                             .effects_missing_since = since,
                             .error_class = lack.error_class,
                             .error_text = lack.reason};
    if (auto written = store::write_event(tried.connection, lane, row); !written)
        return Failure{written.error()};
    // The same wakeup comes again later: the sweeper must not take it for lost meanwhile.
    lane::Wakeup wakeup = lane.lane.wakeup;
    wakeup.due = now + lane::delay_of(OwedRecords::tier_of_others());
    if (auto written = store::write_lane(tried.connection, lane, wakeup, now); !written)
        return Failure{written.error()};
    if (auto committed = open.commit(); !committed) return Failure{committed.error()};
    return End{.kind = End::Kind::lacking};
}

Result<RowRun::End> RowRun::write_failure(Tried& tried, Failing failing) {
    if (failing.ruling.kind == lane::Ruling::Kind::contention) return End{.kind = End::Kind::contention};
    if (failing.ruling.kind == lane::Ruling::Kind::trouble)
        return End{.kind = End::Kind::trouble, .reason = failing.reason};
    (void)FP("consumer.between_row_transactions");
    auto open = store::OpenTransaction::begin(tried.connection);
    if (!open) return Failure{open.error()};
    auto locked = store::lock_lane(tried.connection, store::lane_key_of(tried.object_key));
    if (!locked) return Failure{locked.error()};
    if (!*locked || !lane::still_stands((*locked)->lane, tried.pass, tried.row))
        return End{.kind = End::Kind::start_over};
    const std::string& why = failing.charged.empty() ? failing.reason : failing.charged;
    if (!failing.subject.empty())
        failing.ruling = within_budget(failing.ruling, tried.row, {failing.subject, why}, context_.budget,
                                       context_.clock.wall());
    tried.item.failures.attempts = failing.ruling.row.attempts;  // for the log
    if (failing.ruling.kind == lane::Ruling::Kind::dead)
        return write_death(tried, failing, std::move(*open), **locked);
    if (auto written = write_row(tried, failing, **locked); !written) return Failure{written.error()};
    if (auto still = still_in_force(tried.connection, context_.rules); !still) return Failure{still.error()};
    if (auto committed = open->commit(); !committed) return Failure{committed.error()};
    (void)FP("consumer.after_failure_commit");
    context_.decisions.attempt_failed(failing.ruling.is_counted ? lane::name_of(failing.ruling.row.status)
                                                                : name_of(Disposition::contended));
    context_.decisions.say(disposition_of(failing.ruling), tried.item, {}, failing.reason);
    return End{.kind = End::Kind::failed, .row = failing.ruling.row};
}

Result<RowRun::End> RowRun::write_death(Tried& tried, const Failing& failing, store::OpenTransaction open,
                                        store::LockedLane& lane) {
    const WallTime now = context_.clock.wall();
    const lane::Row& row = failing.ruling.row;
    bool superseded = false;
    if (row.may_be_superseded) {
        const auto later = store::has_later_of(tried.connection, lane.key, row.position, tried.facts.effects);
        if (!later) return Failure{later.error()};
        superseded = lane::dies_superseded(row, *later);
    }
    const auto written = superseded ? finish_superseded(tried, lane) : write_dead_row(tried, failing, lane);
    if (!written) return Failure{written.error()};
    if (auto own = store::write_lane(tried.connection, lane, lane.lane.wakeup, now); !own)
        return Failure{own.error()};
    if (auto still = still_in_force(tried.connection, context_.rules); !still) return Failure{still.error()};
    if (auto committed = open.commit(); !committed) return Failure{committed.error()};
    (void)FP("consumer.after_death_commit");
    const Disposition disposition = superseded ? Disposition::superseded : disposition_of(failing.ruling);
    context_.decisions.attempt_failed(failing.ruling.is_case ? name_of(Disposition::rule_case)
                                                             : failing.ruling.error_class);
    if (disposition == Disposition::rule_case && !tried.had) context_.decisions.committed(tried.item, now);
    context_.decisions.say(disposition, tried.item, failing.ruling.error_class, failing.reason);
    return superseded ? End{} : End{.kind = End::Kind::failed, .row = row};
}

Result<void> RowRun::finish_superseded(Tried& tried, store::LockedLane& lane) {
    const RowEnd end = end_without_effects(tried.had, store::ClosedAs::superseded);
    return finish_row(tried.connection, lane, tried.row.position, tried.facts.inbox, end,
                      context_.clock.wall());
}

Result<void> RowRun::write_dead_row(Tried& tried, const Failing& failing, store::LockedLane& lane) {
    if (auto written = write_row(tried, failing, lane); !written) return written;
    note_payment(tried.item, context_.rules.sources);
    auto dead_letter =
        dead_letter_of({tried.item, tried.topic, tried.object_key, failing.ruling, failing.reason},
                       {lane.key, tried.row.position});
    dead_letter.inbox =
        tried.facts.inbox;  // of a conflict that an operator let in, not the one its headers name
    const auto opened = store::open_dead_letter(tried.connection, dead_letter, context_.clock.wall());
    if (!opened) return Failure{opened.error()};
    return {};
}

Result<void> RowRun::write_row(Tried& tried, const Failing& failing, const store::LockedLane& lane) {
    const lane::Row& row = failing.ruling.row;
    // One that may not die for want of its source or effect goes on missing it.
    const std::string_view why = failing.ruling.error_class;
    const bool is_held =
        row.status != lane::Status::dead && (why == "effect_gone" || why == source_unknown_class);
    const store::LaneRow changed{
        .row = row,
        .effects = tried.facts.effects,
        .effects_missing_since = is_held ? tried.facts.effects_missing_since : std::nullopt,
        .error_class = failing.ruling.error_class,
        .error_text = failing.reason};
    if (auto written = store::write_event(tried.connection, lane, changed); !written) return written;
    // Whether their inbox row can be written is not known of these.
    const bool is_left =
        failing.ruling.error_class == "inconsistent" || failing.ruling.error_class == set_apart_class;
    if (!tried.facts.inbox || is_left) return {};
    return store::change_unfinished(
        tried.connection, *tried.facts.inbox,
        {.status = tried.had ? store::InboxStatus::rerun : store::inbox_status_of(row.status),
         .owes_dlq_record = row.status == lane::Status::dead,
         .error_class = failing.ruling.error_class,
         .error_text = failing.reason});
}

}  // namespace sluice::consumer
