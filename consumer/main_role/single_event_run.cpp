#include "consumer/main_role/single_event_run.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "common/failpoint.hpp"
#include "consumer/store/inbox/undated.hpp"

namespace sluice::consumer {
namespace {

// So many lost locks with no success between them are the database's trouble, not this key's.
constexpr int most_contended_in_a_row = 30;
// 50, 200, 800 ms: what passes by itself mostly has by then.
constexpr Milliseconds first_pause{50};
constexpr Milliseconds longest_pause{800};

std::string text_of(const Coordinates& at) {
    return std::to_string(at.partition) + '/' + std::to_string(at.offset);
}

Milliseconds pause_after(int failures, Random& random) {
    return Backoff{first_pause, longest_pause}.after(2 * failures - 1, random);
}

}  // namespace

void report_success(const WorkerContext& context, std::span<const Item* const> items) {
    if (context.budget.is_calm()) return;
    std::vector<const effects::Effect*> effects;
    for (const Item* item : items)
        std::ranges::copy(effects_for(*item, context.rules), std::back_inserter(effects));
    context.budget.succeeded(effects);
}

RunEnd SingleEventRun::run(Item item, Backlog& backlog, const Session& session) {
    context_.partitions.set_waiting(item.record.at, false);
    item.attempt = {.began = context_.clock.steady()};
    store::Connection& connection = session.connection;
    if (auto set = connection.set_lock_wait(session.locks.wait(item.attempt.began)); !set) {
        return database_failed(std::move(item), set.error(), backlog, session);
    }
    if (!decode(item)) {
        return enter_undecodable(std::move(item), "the record lacks required headers", backlog, session);
    }
    const auto dropped = store::dropped_before(connection);
    if (!dropped) return database_failed(std::move(item), dropped.error(), backlog, session);
    if (is_too_old(item, *dropped)) return known_already(std::move(item), backlog, session);
    // The INSERT into the inbox cannot detect an event whose row is gone.
    const auto came = store::came_before(connection, inbox_key(item));
    if (!came) return database_failed(std::move(item), came.error(), backlog, session);
    (void)FP("consumer.after_undated_look");
    if (*came) return known_already(std::move(item), backlog, session);
    if (has_other_keys(item, context_.rules.sources)) return refuse_keys(std::move(item), backlog, session);
    const auto busy = store::busy_lanes(connection, {&lane_of(item), 1});
    if (!busy) return database_failed(std::move(item), busy.error(), backlog, session);
    if (!busy->empty()) return run_in_lane(std::move(item), backlog, session);

    std::array<Item*, 1> items{&item};
    const SteadyTime start = context_.clock.steady();
    auto applied = transaction_.apply(items, {}, connection, session.writer);
    if (applied) {
        context_.decisions.spans().committed(item, start);
        context_.decisions.committed(item, context_.clock.wall());
        report_success(context_, std::array<const Item*, 1>{&item});
        const bool is_ignored = applied->front() == store::InboxStatus::ignored;
        return finish(item, {is_ignored ? Disposition::ignored : Disposition::done}, backlog);
    }
    const Transaction::Failed& failed = applied.error();
    if (!failed.busy.empty()) return run_in_lane(std::move(item), backlog, session);
    if (failed.inbox_insert && failed.setback.database == store::ErrorClass::duplicate) {
        return known_already(std::move(item), backlog, session);
    }
    return setback(std::move(item), failed.setback, backlog, session);
}

RunEnd SingleEventRun::run_in_lane(Item item, Backlog& backlog, const Session& session) {
    const SteadyTime start = context_.clock.steady();
    auto end = in_lane_.run(item, session.connection, session.writer);
    if (!end) return not_written(std::move(item), end.error(), backlog, session);
    if (end->kind == LaneEnd::Kind::known) return known_already(std::move(item), backlog, session);
    if (end->kind == LaneEnd::Kind::failed) return setback(std::move(item), end->setback, backlog, session);
    if (end->kind == LaneEnd::Kind::start_over) {
        if (item.lane_misses > 1) return keep_for_now(std::move(item), Disposition::contended, backlog);
        return hold(std::move(item), Disposition::contended, "its lane is being visited", backlog);
    }
    context_.decisions.spans().committed(item, start);
    Ending ending{.disposition = end->is_ignored ? Disposition::ignored : Disposition::done};
    if (end->kind == LaneEnd::Kind::parked) {
        ending.disposition = Disposition::parked;
    } else {
        context_.decisions.committed(item, context_.clock.wall());
        report_success(context_, std::array<const Item*, 1>{&item});
    }
    if (!end->owes) return finish(item, ending, backlog);
    return send_owed(std::move(item), ending, end->has_deferred, backlog, session);
}

RunEnd SingleEventRun::known_already(Item item, Backlog& backlog, const Session& session) {
    auto found = store::find(session.connection, inbox_key(item));
    if (!found) return database_failed(std::move(item), found.error(), backlog, session);
    if (!*found) {
        const auto dropped = store::dropped_before(session.connection);
        if (!dropped) return database_failed(std::move(item), dropped.error(), backlog, session);
        if (is_too_old(item, *dropped)) {
            return open_entry_alone(std::move(item), store::DeadLetterKind::too_old,
                                    "its day was dropped from the inbox", backlog, session);
        }
        // The transaction that held the key rolled back after we lost to it: start over.
        return hold(std::move(item), Disposition::contended, "its inbox row disappeared", backlog);
    }
    const store::InboxRow& row = **found;
    if (row.content_digest == item.event.content_digest) {
        if (item.lane_misses == 0) context_.decisions.duplicate_of(store::name_of(row.status));
        // Its first owner may have died before it sent what the lane owes.
        return send_owed(std::move(item), {Disposition::duplicate}, false, backlog, session);
    }
    if (are_peers(row.source, item.event.source, context_.rules.sources))
        return finish(item, {Disposition::duplicate_of_peer}, backlog);
    return open_entry_alone(std::move(item), store::DeadLetterKind::conflict,
                            "its event id came before with different content", backlog, session);
}

RunEnd SingleEventRun::send_owed(Item item, const Ending& ending, bool early_pass, Backlog& backlog,
                                 const Session& session) {
    const ObjectKey object{item.record};
    const IfLocked if_locked = if_lane_is_locked(item);
    const Visited visited =
        early_pass ? visit_.visit_early(session.connection, object, session.trouble, if_locked)
                   : visit_.visit(session.connection, object, std::nullopt, session.trouble, if_locked);
    switch (visited) {
        case Visited::settled:
            return finish(item, ending, backlog);
        case Visited::others_turn:
        case Visited::again_soon:
        case Visited::again_first:
            // It is in the inbox: when it comes again, it is a duplicate that sends it.
            if (ending.disposition != Disposition::duplicate) say(ending, item);
            if (++item.lane_misses > 1) return keep_for_now(std::move(item), Disposition::contended, backlog);
            return hold(std::move(item), Disposition::contended, "its lane could not be settled", backlog);
        case Visited::trouble:
            break;
    }
    std::string why = session.trouble;
    return stop(std::move(item), std::move(why), backlog, session);
}

RunEnd SingleEventRun::finish(const Item& item, const Ending& ending, Backlog& backlog) {
    say(ending, item);
    return finish_said(item, backlog);
}

RunEnd SingleEventRun::finish_said(const Item& item, Backlog& backlog) {
    contended_in_a_row_ = 0;
    context_.partitions.finish(item.record.at);
    backlog.finished(item.record);
    return RunEnd::finished;
}

void SingleEventRun::say(const Ending& ending, const Item& item) {
    context_.decisions.say(ending.disposition, item, ending.error_class, ending.reason);
}

RunEnd SingleEventRun::hold(Item item, Disposition disposition, std::string_view reason, Backlog& backlog) {
    context_.decisions.say(disposition, item, {}, reason);
    return keep_for_now(std::move(item), disposition, backlog);
}

RunEnd SingleEventRun::keep_for_now(Item item, Disposition disposition, Backlog& backlog) {
    const int failures = disposition == Disposition::contended ? 2 : item.failures.attempts;
    const auto until = context_.clock.steady() + pause_after(failures, random_);
    context_.partitions.set_waiting(item.record.at, disposition == Disposition::retried);
    backlog.hold(std::move(item), until);
    return RunEnd::kept;
}

RunEnd SingleEventRun::contended(Item item, std::string reason, Backlog& backlog, const Session& session) {
    if (++contended_in_a_row_ < most_contended_in_a_row)
        return hold(std::move(item), Disposition::contended, reason, backlog);
    contended_in_a_row_ = 0;
    return stop(std::move(item), std::move(reason), backlog, session);
}

RunEnd SingleEventRun::stop(Item item, std::string why, Backlog& backlog, const Session& session) {
    session.trouble = std::move(why);
    Items items;
    items.push_back(std::move(item));
    backlog.push(std::move(items));
    return RunEnd::trouble;
}

RunEnd SingleEventRun::database_failed(Item item, std::error_code error, Backlog& backlog,
                                       const Session& session) {
    const Setback setback = statement_failed(session.connection, error);
    if (setback.database == store::ErrorClass::lost_lock)
        return contended(std::move(item), setback.reason, backlog, session);
    if (!may_be_the_events(error)) return stop(std::move(item), setback.reason, backlog, session);
    if (!own_failures_.is_third(text_of(item.record.at), error))
        return hold(std::move(item), Disposition::contended, setback.reason, backlog);
    return set_apart(item, setback.reason, backlog, session);
}

}  // namespace sluice::consumer
