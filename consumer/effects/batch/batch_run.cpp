#include "consumer/effects/batch/batch_run.hpp"

#include <algorithm>

#include "common/error.hpp"
#include "consumer/effects/effect/refused_statement.hpp"
#include "consumer/effects/set_based/change_text.hpp"
#include "consumer/effects/set_based/row_key.hpp"
#include "consumer/store/driver/time_limit.hpp"

namespace sluice::effects {
namespace {

using store::Connection;
using store::Datum;

// Tables may be altered while we run: what is known of them is as old as this at most.
constexpr std::chrono::seconds plan_lives{60};
// After an event that ran by itself all locked rows are asked for again: few at first, or a batch of such
// events would ask for the rows of all others each time.
constexpr std::size_t small_window = 8;

bool passes(Outcome outcome) {
    return outcome == Outcome::done || outcome == Outcome::ignore;
}

BatchFailure without_culprit(std::error_code error) {
    return {std::nullopt, {outcome_of(error), error, {}, error.message()}};
}

/// Rolls back one event of a batch.
constexpr const char* before_event = "SAVEPOINT sluice_event";
constexpr const char* back_before_event = "ROLLBACK TO SAVEPOINT sluice_event";

}  // namespace

BatchRun::BatchRun(const EffectSet& set, Timing* timing) : effects_{pointers_to(set)}, timing_{timing} {}

std::expected<void, BatchFailure> BatchRun::run(std::span<const BatchEvent> events, const ReadBody& read_body,
                                                Connection& connection, SteadyTime now) {
    own_values_.start(events.size());
    return run(events, own_values_, read_body, connection, now);
}

std::expected<void, BatchFailure> BatchRun::run(std::span<const BatchEvent> events, BatchValues& values,
                                                const ReadBody& read_body, Connection& connection,
                                                SteadyTime now) {
    takes_out_ = false;
    return run_all(events, values, read_body, connection, now);
}

std::expected<std::vector<Verdict>, BatchFailure> BatchRun::run_each(std::span<const BatchEvent> events,
                                                                     const ReadBody& read_body,
                                                                     Connection& connection, SteadyTime now) {
    takes_out_ = true;
    verdicts_.assign(events.size(), {});
    own_values_.start(events.size());
    auto run = run_all(events, own_values_, read_body, connection, now);
    if (!run) return std::unexpected(std::move(run.error()));
    return std::move(verdicts_);
}

std::expected<void, BatchFailure> BatchRun::run_all(std::span<const BatchEvent> events, BatchValues& values,
                                                    const ReadBody& read_body, Connection& connection,
                                                    SteadyTime now) {
    events_ = events;
    values_ = &values;
    read_body_ = &read_body;
    connection_ = &connection;
    if (const auto planned = know_tables(connection, now); !planned)
        return std::unexpected(without_culprit(planned.error()));
    start_over(events.size());
    for (std::size_t i = 0; i < events.size(); ++i) {
        if (events[i].effects.empty()) continue;
        if (auto run = run_one(i); !run) return run;
    }
    auto written = write();
    if (written) count_stale();
    return written;
}

std::expected<void, BatchFailure> BatchRun::run_one(std::size_t event) {
    const auto decision = decide_if_together(event);
    if (!decision) return std::unexpected(without_culprit(decision.error()));
    if (*decision == Decision::made) {
        for (const Effect* effect : found_stale_) ++stale_[effect];
        if (takes_out_ && is_ignored_) verdicts_[event].outcome = Outcome::ignore;
        return {};
    }
    undo(event);
    // What it wanted to write before it ended might have ended it sooner: only the database knows.
    if (*decision == Decision::ended && takes_out_ && !has_changes_) {
        verdicts_[event] = std::move(verdict_);
        return {};
    }
    if (auto written = write(); !written) return written;
    if (*decision == Decision::ended && !takes_out_) return std::unexpected(BatchFailure{event, verdict_});
    if (auto run = run_alone(event); !run) return run;
    forget();
    return {};
}

Result<BatchRun::Decision> BatchRun::decide_if_together(std::size_t event) {
    old_sums_.clear();
    old_touched_.clear();
    found_stale_.clear();
    if (!goes_together(events_[event])) return Decision::not_here;
    if (const auto looked = look_ahead(event); !looked) return Failure{looked.error()};
    return decide(event);
}

void BatchRun::count_stale() {
    if (timing_ == nullptr) return;
    for (const auto& [effect, events] : stale_) timing_->were_stale(*effect, events);
}

Result<void> BatchRun::know_tables(Connection& connection, SteadyTime now) {
    if (plan_ && now - planned_at_ < plan_lives) return {};
    plan_.reset();
    auto plan = plan_batches(effects_, connection);
    if (!plan) return Failure{plan.error()};
    plan_.emplace(std::move(*plan));
    planned_at_ = now;
    spaces_.clear();
    for (const auto& shape : plan_->spaces) spaces_.emplace_back(shape);
    pending_.emplace(*plan_);
    return {};
}

void BatchRun::start_over(std::size_t events) {
    stale_.clear();
    pending_->clear();
    forget();
    window_ = events;
    within_ = shortest_within();
}

void BatchRun::forget() {
    for (RowSpace& space : spaces_) space.forget();
    users_.assign(plan_->tables, 0);
    known_until_ = 0;
    window_ = small_window;
}

bool BatchRun::goes_together(const BatchEvent& event) const {
    return std::ranges::all_of(event.effects, [this](const Effect* effect) {
        const auto* set_based = effect->set_based();
        return set_based != nullptr &&
               std::ranges::all_of(set_based->changes(), [this](const Change& change) {
                   return plan_->targets.at(&change).together;
               });
    });
}

Result<void> BatchRun::look_ahead(std::size_t from) {
    if (from < known_until_) return {};
    known_until_ = std::min(events_.size(), from + window_);
    window_ = std::min(window_ * 2, events_.size());
    for (std::size_t i = from; i < known_until_; ++i) {
        if (!goes_together(events_[i])) continue;
        evaluate(i);
        want_rows(i);
    }
    std::optional<store::TimeLimit> limit;
    if (!takes_out_) limit.emplace(*connection_, within_);
    for (RowSpace& space : spaces_) {
        if (const auto fetched = space.fetch(*connection_); !fetched) return fetched;
    }
    return {};
}

void BatchRun::evaluate(std::size_t event) {
    if (values_->has(event)) return;
    const BatchEvent& its = events_[event];
    values_->read(event, its, its.effects.empty() ? std::nullopt : (*read_body_)(event));
}

void BatchRun::want_rows(std::size_t event) {
    for (const Part& part : values_->parts_of(event)) {
        if (part.failure) return;  // the effects behind it will not run
        const auto values = values_->values_of(part, events_[event].headers);
        for (const auto& change : part.effect->changes()) {
            const auto* key = key_of(change);
            if (key == nullptr) continue;
            key_.clear();
            const auto error = append_values(*key, values, key_);
            if (!error && !has_null(key_)) spaces_[plan_->targets.at(&change).space].want(key_);
        }
    }
}

void BatchRun::undo(std::size_t event) {
    for (auto old = old_sums_.rbegin(); old != old_sums_.rend(); ++old) {
        auto& sum = old->space->sum(old->row, old->column);
        const bool is_listed = sum.is_listed;
        if (old->space->shape().has_checks) old->space->drop_last_of_turn(old->sum.turns);
        sum = old->sum;
        sum.is_listed = is_listed;  // its row stays in the list, with nothing more to write
    }
    for (auto old = old_touched_.rbegin(); old != old_touched_.rend(); ++old) {
        old->space->touched(old->row) = old->touched;
    }
    old_sums_.clear();
    old_touched_.clear();
    pending_->drop(event);
}

Milliseconds BatchRun::shortest_within() const {
    Milliseconds shortest = std::chrono::hours{1};
    for (const BatchEvent& event : events_) {
        for (const Effect* effect : event.effects) shortest = std::min(shortest, effect->within());
    }
    return shortest;
}

std::expected<void, BatchFailure> BatchRun::write() {
    std::optional<store::TimeLimit> limit;
    if (!takes_out_) limit.emplace(*connection_, within_);
    const auto written = pending_->write(spaces_, *connection_);
    if (takes_out_) note_ignored();
    if (written) return {};
    const auto& duplicate = written.error().duplicate;
    if (!duplicate) return std::unexpected(without_culprit(written.error().error));
    for (const Part& part : values_->parts_of(duplicate->event)) {
        const auto is_it = [&](const Change& change) { return &change == duplicate->change; };
        if (!std::ranges::any_of(part.effect->changes(), is_it)) continue;
        const auto made = made_duplicate(std::get<Insertion>(duplicate->change->what).duplicate);
        return std::unexpected(
            BatchFailure{duplicate->event,
                         part.effect->ended(*duplicate->change, made,
                                            values_->values_of(part, events_[duplicate->event].headers))});
    }
    return std::unexpected(without_culprit(make_error_code(errc::unlisted_row_count)));
}

std::expected<void, BatchFailure> BatchRun::run_alone(std::size_t event) {
    const auto body = (*read_body_)(event);
    if (!body) {
        return std::unexpected(
            BatchFailure{event, {Outcome::park, make_error_code(errc::unreadable_body), {}, {}}});
    }
    const EventView view{events_[event].headers, *body};
    if (takes_out_) return try_alone(event, view);
    auto verdict = run_effects(events_[event].effects, view, *connection_, timing_);
    if (passes(verdict.outcome)) return {};
    return std::unexpected(BatchFailure{event, std::move(verdict)});
}

std::expected<void, BatchFailure> BatchRun::try_alone(std::size_t event, const EventView& view) {
    if (const auto set = connection_->run(before_event); !set)
        return std::unexpected(without_culprit(set.error()));
    auto verdict = run_effects(events_[event].effects, view, *connection_, timing_, Limits::of_caller);
    if (verdict.error) return std::unexpected(BatchFailure{event, std::move(verdict)});
    if (!passes(verdict.outcome)) {
        if (const auto back = connection_->run(back_before_event); !back)
            return std::unexpected(without_culprit(back.error()));
    }
    verdicts_[event] = std::move(verdict);
    return {};
}

void BatchRun::note_ignored() {
    for (const auto& [event, change] : pending_->ignored()) {
        const auto effects = events_[event].effects;
        const bool is_all = effects.size() == 1 && &effects.front()->set_based()->changes().front() == change;
        if (is_all) verdicts_[event].outcome = Outcome::ignore;
    }
}

}  // namespace sluice::effects
