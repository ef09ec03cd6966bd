#include "common/failpoint.hpp"
#include "consumer/apply/payment_said.hpp"
#include "consumer/apply/troubled_runs.hpp"
#include "consumer/apply/unfit_record.hpp"
#include "consumer/lane/run/rulings.hpp"
#include "consumer/main_role/single_event_run.hpp"

/// The part of consumer/main_role/single_event_run.hpp that decides what becomes of an event that could not
/// be applied.
namespace sluice::consumer {
namespace {

/// Our own tables cannot take what the record holds: from elsewhere, too long or of an impossible time.
bool is_for_no_table(std::error_code error) {
    constexpr int packet_too_large = 1153;
    return store::class_of(error) == store::ErrorClass::data ||
           (error.category() == store::category() && error.value() == packet_too_large);
}

/// It is still in Kafka, where its entry says.
Item without_what_fits_nowhere(Item item, const Clock& clock) {
    item.record.value = {};
    item.record.headers.clear();
    item.record.appended_at = clock.wall();
    return item;
}

}  // namespace

bool SingleEventRun::may_try_in_place(const Item& item, const Setback& setback) const {
    const bool may_pass = setback.database
                              ? *setback.database == store::ErrorClass::unknown
                              : setback.own_class.empty() && setback.outcome == effects::Outcome::retry;
    if (!may_pass) return false;
    return !item.failures.first || context_.clock.steady() - *item.failures.first < context_.in_place;
}

RunEnd SingleEventRun::failed(Item item, const Setback& setback, Backlog& backlog, const Session& session) {
    context_.partitions.set_waiting(item.record.at, false);
    return this->setback(std::move(item), setback, backlog, session);
}

RunEnd SingleEventRun::setback(Item item, const Setback& raw, Backlog& backlog, const Session& session) {
    if (raw.database == store::ErrorClass::lost_lock) ++item.failures.lost_locks;
    note_run(item.failures.troubled, raw, context_.clock.steady());
    const Setback setback = as_counted(raw, item.failures.lost_locks);
    const WallTime now = context_.clock.wall();
    lane::Row before;
    if (item.failures.first) before.first_failed_at = item.failures.first_at;
    const lane::Ruling ruling = ruling_on(setback, before, context_.rules.effects, now);
    if (ruling.kind == lane::Ruling::Kind::trouble)
        return stop(std::move(item), setback.reason, backlog, session);
    if (ruling.kind == lane::Ruling::Kind::contention)
        return hold(std::move(item), Disposition::contended, setback.reason, backlog);
    if (!ruling.is_counted) {
        context_.budget.told_nothing();
        if (is_blocked(setback)) session.locks.waited_in_vain(context_.clock.steady());
        return enter(std::move(item), ruling, setback.reason, backlog, session);
    }
    if (!item.failures.first) {
        item.failures.first = context_.clock.steady();
        item.failures.first_at = now;
    }
    ++item.failures.attempts;
    if (may_try_in_place(item, setback))
        return hold(std::move(item), Disposition::retried, setback.reason, backlog);
    // An event that was not run says nothing about the others' chances.
    if (setback.was_not_run) {
        context_.budget.told_nothing();
    } else if (ruling.is_case) {
        context_.budget.decided();
    } else if (ruling.row.status != lane::Status::deferred) {
        context_.budget.failed(reason_without_data(setback));
    }
    const auto subject = subject_of(setback, ruling);
    const auto charged = reason_without_data(setback);
    const auto within = within_budget(ruling, before, {subject, charged}, context_.budget, now);
    return enter(std::move(item), within, setback.reason, backlog, session);
}

RunEnd SingleEventRun::enter(Item item, const lane::Ruling& ruling, const std::string& reason,
                             Backlog& backlog, const Session& session) {
    (void)FP("consumer.before_enter");
    const SteadyTime start = context_.clock.steady();
    const auto end = enter_lane_.run(item, {ruling, reason}, session.connection);
    if (!end) return not_written(std::move(item), end.error(), backlog, session);
    switch (end->kind) {
        case LaneEnd::Kind::known:
            return known_already(std::move(item), backlog, session);
        case LaneEnd::Kind::start_over:
            return hold(std::move(item), Disposition::contended, "its object now has unfinished events",
                        backlog);
        default:
            context_.decisions.spans().committed(item, start);
            if (ruling.is_case) context_.decisions.committed(item, context_.clock.wall());
            return send_owed(std::move(item), {disposition_of(ruling), ruling.error_class, reason}, false,
                             backlog, session);
    }
}

RunEnd SingleEventRun::refuse_keys(Item item, Backlog& backlog, const Session& session) {
    const std::string why =
        "the ingress made its keys from a different configuration file than this process has";
    if (!context_.budget.may_dead_letter(keys_changed_class, why))
        return stop(std::move(item), why, backlog, session);
    lane::Row tried_once;
    tried_once.attempts = 1;
    return enter(std::move(item), death(tried_once, keys_changed_class, context_.clock.wall()), why, backlog,
                 session);
}

RunEnd SingleEventRun::not_written(Item item, std::error_code error, Backlog& backlog,
                                   const Session& session) {
    // Our own tables cannot take what the record holds: ids that are too long, from elsewhere.
    if (is_for_no_table(error)) {
        const Setback refused = statement_failed(session.connection, error);
        return enter_undecodable(std::move(item), refused.reason, backlog, session);
    }
    return database_failed(std::move(item), error, backlog, session);
}

RunEnd SingleEventRun::enter_undecodable(Item item, const std::string& reason, Backlog& backlog,
                                         const Session& session) {
    item.decoded = false;
    item.event = {};
    lane::Row tried_once;
    tried_once.attempts = 1;
    const lane::Ruling ruling = death(tried_once, "undecodable", context_.clock.wall());
    const auto enter = [&](const Item& record) {
        return enter_lane_.run_undecodable(record, {ruling, reason}, session.writer.topic_id,
                                           session.connection);
    };
    auto end = enter(item);
    if (!end && is_for_no_table(end.error())) end = enter(without_what_fits_nowhere(item, context_.clock));
    if (!end) return database_failed(std::move(item), end.error(), backlog, session);
    const Disposition disposition =
        end->kind == LaneEnd::Kind::known ? Disposition::duplicate : Disposition::dead;
    return send_owed(std::move(item), {disposition, ruling.error_class, reason}, false, backlog, session);
}

RunEnd SingleEventRun::open_entry_alone(Item item, store::DeadLetterKind kind, const std::string& reason,
                                        Backlog& backlog, const Session& session) {
    note_payment(item, context_.rules.sources);
    const UnfitRecord record{item, kind, reason, context_.rules.kafka.topic, session.writer.topic_id};
    const auto entry = open_entry(record, session.connection, context_.clock.wall());
    if (!entry) return database_failed(std::move(item), entry.error(), backlog, session);
    // Even if its DLQ record fails: when the event comes again, its entry is there.
    if (entry->is_new) say({Disposition::dead, store::name_of(kind), reason}, item);
    const auto sent = owed_records_.send_dead_letter(session.connection, entry->id);
    if (!sent) return database_failed(std::move(item), sent.error(), backlog, session);
    if (*sent == OwedRecords::Sent::not_taken)
        return hold(std::move(item), Disposition::contended, "its dead letter was not acknowledged", backlog);
    if (entry->is_new) return finish_said(item, backlog);
    return finish(item, {Disposition::duplicate, store::name_of(kind), reason}, backlog);
}

RunEnd SingleEventRun::set_apart(const Item& item, const std::string& why, Backlog& backlog,
                                 const Session& session) {
    // Many of them are no event's fault: the budget says so, and all wait.
    if (!context_.budget.may_dead_letter(set_apart_class, why)) return stop(item, why, backlog, session);
    const auto apart = enter_lane_.write_refused(item, why, session.writer.topic_id, session.connection);
    if (!apart)
        return stop(item, statement_failed(session.connection, apart.error()).reason, backlog, session);
    // If that fails, the sweeper sees that it is owed.
    if (apart->dead_letter)
        static_cast<void>(owed_records_.send_dead_letter(session.connection, *apart->dead_letter));
    const Disposition disposition = apart->is_new ? Disposition::dead : Disposition::duplicate;
    return send_owed(item, {disposition, set_apart_class, apart->reason}, false, backlog, session);
}

}  // namespace sluice::consumer
