#include "consumer/main_role/batch.hpp"

#include <algorithm>

#include "consumer/apply/busy_lanes.hpp"
#include "consumer/apply/effect_holds.hpp"
#include "consumer/apply/troubled_runs.hpp"

namespace sluice::consumer {
namespace {

/// How many at its front are of this object.
std::size_t leading_of(std::string_view object, std::span<const SortedBatch::Fresh> fresh) {
    const auto other = std::ranges::find_if(fresh, [object](const SortedBatch::Fresh& next) {
        return std::string_view{ObjectKey{next.item->record}} != object;
    });
    return static_cast<std::size_t>(other - fresh.begin());
}

double seconds_since(SteadyTime start, SteadyTime now) {
    return std::chrono::duration<double>(now - start).count();
}

}  // namespace

bool Batch::run(Items items, Backlog& backlog, const Session& session) {
    blocked_.clear();
    kept_.clear();
    failed_.clear();
    const SteadyTime now = context_.clock.steady();
    for (Item& item : items) item.attempt = {.began = now};
    auto sorted = sort_out(items, session);
    if (!sorted) {
        context_.decisions.batch_rolled_back("known");
        session.trouble = session.connection.last_error().message;
        backlog.push(std::move(items));
        return false;
    }
    settle_duplicates(sorted->duplicates, backlog);
    leave_out_held(sorted->fresh);
    bool serving = run_fresh(sorted->fresh, backlog, session);
    for (Item* item : sorted->alone) {
        if (serving && !blocked_.contains(std::string_view{ObjectKey{item->record}})) {
            serving = run_alone(*item, backlog, session);
        } else {
            kept_.push_back(std::move(*item));
        }
    }
    backlog.push(std::move(kept_));
    return serving;
}

Result<SortedBatch> Batch::sort_out(Items& items, const Session& session) {
    store::Connection& connection = session.connection;
    std::vector<store::InboxKey> keys;
    std::vector<Item*> all;
    for (Item& item : items) {
        if (item.decoded) keys.push_back(inbox_key(item));
        all.push_back(&item);
    }
    if (auto set = connection.set_lock_wait(LockPatience::full_wait); !set) return Failure{set.error()};
    auto known = store::known(connection, keys);
    if (!known) return Failure{known.error()};
    auto busy = busy_lanes_of(all, connection);
    if (!busy) return Failure{busy.error()};
    auto dropped_before = store::dropped_before(connection);
    if (!dropped_before) return Failure{dropped_before.error()};
    return sort_batch(all, {std::move(*known), std::move(*busy), *dropped_before}, context_.rules.sources);
}

bool Batch::run_fresh(Fresh fresh, Backlog& backlog, const Session& session) {
    std::size_t size = fresh.size();
    std::size_t alone = 0;
    while (!fresh.empty()) {
        // Sorted by object: those of a blocked object follow directly.
        if (blocked_.contains(std::string_view{ObjectKey{fresh.front().item->record}})) {
            keep(fresh.front());
            fresh = fresh.subspan(1);
            if (alone > 0) --alone;  // those that run alone stand in front, by object
            continue;
        }
        if (alone > 0 || failed_.contains(fresh.front().item)) {
            alone -= std::min<std::size_t>(alone, 1);
            auto twins = std::move(fresh.front().twins);
            const std::string object = ObjectKey{fresh.front().item->record}.str();
            const bool serving = run_alone(*fresh.front().item, backlog, session);
            for (Item* twin : twins) kept_.push_back(std::move(*twin));
            fresh = fresh.subspan(1);
            // Its object has a lane by now, or may have: in a batch its followers would roll all others back.
            alone = std::max(alone, leading_of(object, fresh));
            if (serving) continue;
            std::ranges::for_each(fresh, [&](SortedBatch::Fresh& rest) { keep(rest); });
            return false;
        }
        const Fresh part = fresh.first(std::min(size, not_failed_in_front(fresh)));
        const Step step = transact(part, fresh, backlog, session);
        if (step.trouble) {
            std::ranges::for_each(fresh, [&](SortedBatch::Fresh& rest) { keep(rest); });
            return false;
        }
        if (step.committed) fresh = fresh.subspan(part.size());
        size = step.next_size;
        alone = step.alone;
    }
    return true;
}

Batch::Step Batch::transact(Fresh part, Fresh rest, Backlog& backlog, const Session& session) {
    std::vector<Item*> items;
    std::vector<Coordinates> twins;
    for (const SortedBatch::Fresh& fresh : part) {
        items.push_back(fresh.item);
        for (const Item* twin : fresh.twins) twins.push_back(twin->record.at);
    }
    const SteadyTime start = context_.clock.steady();
    if (auto set = session.connection.set_lock_wait(session.locks.wait(start)); !set) {
        session.trouble = session.connection.last_error().message;
        return {.trouble = true};
    }
    auto applied = transaction_.apply(items, twins, session.connection, session.writer);
    if (applied) {
        context_.decisions.batch(items.size(), seconds_since(start, context_.clock.steady()));
        context_.decisions.spans().committed(items, start);
        settle(part, *applied, backlog);
        return {.next_size = part.size() * 2, .committed = true};
    }
    const Transaction::Failed& failed = applied.error();
    if (!failed.busy.empty()) return without_busy(part.size(), rest, failed.busy);
    context_.decisions.batch_rolled_back(failed.setback.database ? store::name_of(*failed.setback.database)
                                                                 : "outcome");
    if (is_trouble(failed.setback)) {
        note_trouble(part, failed);
        session.trouble = failed.setback.reason;
        return {.trouble = true};
    }
    // No other event of this worker waits a whole second for what may be the same lock.
    if (failed.setback.waited_for_lock) session.locks.waited_in_vain(context_.clock.steady());
    if (failed.culprit && would_fail_again(failed.setback)) return without(part, rest, failed);
    // Several fought for the same locks, or one of them was slow: one by one, with a short wait.
    if (failed.setback.database == store::ErrorClass::lost_lock || would_fail_again(failed.setback))
        return {.next_size = 1, .alone = part.size()};
    if (failed.culprit && *failed.culprit > 0) return {.next_size = *failed.culprit};
    if (failed.culprit || part.size() == 1)
        return {.next_size = std::max<std::size_t>(part.size() / 2, 1), .alone = 1};
    return {.next_size = part.size() / 2};
}

void Batch::note_trouble(Fresh part, const Transaction::Failed& failed) {
    const SteadyTime now = context_.clock.steady();
    if (failed.culprit) return note_run(part[*failed.culprit].item->failures.troubled, failed.setback, now);
    const Setback told = part.size() > 1 ? without_culprit(failed.setback) : failed.setback;
    for (const SortedBatch::Fresh& fresh : part) note_run(fresh.item->failures.troubled, told, now);
}

Batch::Step Batch::without_busy(std::size_t size, Fresh rest, const std::vector<store::LaneKey>& busy) {
    context_.decisions.batch_rolled_back("lane");
    // Of all that is left: each object's events stay side by side, so that a blocked one takes all with it.
    const auto others = std::ranges::stable_partition(rest, [&busy](const SortedBatch::Fresh& fresh) {
        return std::ranges::contains(busy, lane_of(*fresh.item));
    });
    return {.next_size = std::clamp<std::size_t>(others.size(), 1, size),
            .alone = rest.size() - others.size()};
}

void Batch::leave_out_held(Fresh fresh) {
    EffectHolds* holds = context_.rules.holds;
    if (holds == nullptr || holds->is_calm()) return;
    for (const SortedBatch::Fresh& one : fresh) {
        if (failed_.contains(one.item)) continue;
        if (auto held = holds->held(effects_for(*one.item, context_.rules)))
            failed_.insert_or_assign(one.item, std::move(*held));
    }
}

Batch::Step Batch::without(Fresh part, Fresh rest, const Transaction::Failed& failed) {
    failed_.insert_or_assign(part[*failed.culprit].item, failed.setback);
    leave_out_held(rest);
    return {.next_size = std::max<std::size_t>(part.size(), 1)};
}

std::size_t Batch::not_failed_in_front(Fresh fresh) const {
    const auto failed = std::ranges::find_if(
        fresh, [this](const SortedBatch::Fresh& one) { return failed_.contains(one.item); });
    return static_cast<std::size_t>(failed - fresh.begin());
}

bool Batch::run_alone(Item& item, Backlog& backlog, const Session& session) {
    const std::string object = ObjectKey{item.record}.str();
    const auto failed = failed_.find(&item);
    const RunEnd settled = failed == failed_.end()
                               ? single_.run(std::move(item), backlog, session)
                               : single_.failed(std::move(item), failed->second, backlog, session);
    if (settled != RunEnd::finished) blocked_.insert(object);
    return settled != RunEnd::trouble;
}

void Batch::settle(Fresh part, const std::vector<store::InboxStatus>& statuses, Backlog& backlog) {
    const WallTime now = context_.clock.wall();
    std::vector<const Item*> applied;
    std::vector<Decisions::Routine> decisions;
    std::vector<Item*> twins;
    for (std::size_t i = 0; i < part.size(); ++i) {
        const Item& item = *part[i].item;
        applied.push_back(&item);
        context_.decisions.committed(item, now);
        const bool is_ignored = statuses[i] == store::InboxStatus::ignored;
        decisions.push_back({is_ignored ? Disposition::ignored : Disposition::done, &item});
        backlog.finished(item.record);
        twins.insert(twins.end(), part[i].twins.begin(), part[i].twins.end());
    }
    context_.decisions.say_all(decisions);
    settle_duplicates(twins, backlog);
    report_success(context_, applied);
}

void Batch::settle_duplicates(std::span<Item* const> items, Backlog& backlog) {
    std::vector<Decisions::Routine> decisions;
    for (const Item* item : items) {
        context_.partitions.finish(item->record.at);
        decisions.push_back({Disposition::duplicate, item});
        backlog.finished(item->record);
    }
    context_.decisions.say_all(decisions);
}

void Batch::keep(SortedBatch::Fresh& fresh) {
    kept_.push_back(std::move(*fresh.item));
    for (Item* twin : fresh.twins) kept_.push_back(std::move(*twin));
}

}  // namespace sluice::consumer
