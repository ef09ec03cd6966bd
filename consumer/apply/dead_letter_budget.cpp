#include "consumer/apply/dead_letter_budget.hpp"

#include <ranges>
#include <utility>
#include <vector>

#include "common/joined.hpp"
#include "consumer/effects/effect/effect.hpp"

namespace sluice::consumer {
namespace {

constexpr const char* concern = "effects";
constexpr std::ptrdiff_t most_told = 5;  // last errors, in one line

double gauge_value(lane::Breaker::State state) {
    switch (state) {
        case lane::Breaker::State::closed:
            return 0;
        case lane::Breaker::State::half_open:
            return 1;
        case lane::Breaker::State::open:
            break;
    }
    return 2;
}

}  // namespace

DeadLetterBudget::DeadLetterBudget(const lane::BudgetSettings& settings, const Clock& clock, Log& log,
                                   Metrics& metrics, Readiness& readiness)
    : clock_{clock},
      log_{log},
      metrics_{metrics},
      readiness_{readiness},
      budget_{settings},
      whole_{settings.events} {
    const std::lock_guard lock{mutex_};
    tell();
}

DeadLetterBudget::Gate DeadLetterBudget::gate() {
    if (is_calm()) return Gate::everything;
    const std::lock_guard lock{mutex_};
    const SteadyTime now = clock_.steady();
    if (budget_.breaker().state(now) == lane::Breaker::State::closed) return Gate::everything;
    const Gate gate = budget_.admits(now) ? Gate::one : Gate::nothing;
    tell();
    return gate;
}

void DeadLetterBudget::succeeded(std::span<const effects::Effect* const> effects) {
    if (is_calm() || effects.empty()) return;  // an event that no effect wanted says nothing
    std::vector<std::string_view> names;
    for (const effects::Effect* effect : effects) names.push_back(effect->name());
    const std::lock_guard lock{mutex_};
    budget_.succeeded(names, clock_.steady());
    tell();
    is_calm_ = told_spending_.empty();
}

void DeadLetterBudget::failed(std::string_view reason) {
    const std::lock_guard lock{mutex_};
    is_calm_ = false;
    last_reason_ = reason;
    budget_.failed(clock_.steady());
    tell();
}

void DeadLetterBudget::told_nothing() {
    if (is_calm()) return;
    const std::lock_guard lock{mutex_};
    budget_.told_nothing();
}

void DeadLetterBudget::decided() {
    if (is_calm()) return;
    const std::lock_guard lock{mutex_};
    budget_.succeeded({}, clock_.steady());
    tell();
    is_calm_ = told_spending_.empty();
}

bool DeadLetterBudget::may_dead_letter(std::string_view subject, std::string_view reason) {
    const std::lock_guard lock{mutex_};
    is_calm_ = false;
    last_reason_ = reason;
    reasons_.insert_or_assign(std::string{subject}, reason);
    const bool may = budget_.may_dead_letter(subject, clock_.steady());
    tell();
    return may;
}

void DeadLetterBudget::tell() {
    std::set<std::string> spending;
    std::set<std::string> used_up;
    for (const auto& subject : budget_.spending(clock_.steady())) {
        left_of(subject.name).Set(subject.left);
        spending.insert(subject.name);
        if (subject.left == 0) used_up.insert(subject.name);
    }
    for (const std::string& name : told_spending_) {
        if (!spending.contains(name)) left_of(name).Set(whole_);
    }
    for (const std::string& name : used_up) {
        if (!told_used_up_.contains(name)) log_.error("dead_letter_budget_used_up", {{"effect", name}});
    }
    std::erase_if(reasons_, [&](const auto& each) { return !spending.contains(each.first); });
    tell_breaker();
    tell_readiness(used_up);
    told_spending_ = std::move(spending);
    told_used_up_ = std::move(used_up);
}

void DeadLetterBudget::tell_breaker() {
    const lane::Breaker::State state = budget_.breaker().state(clock_.steady());
    if (std::exchange(told_state_, state) != state)
        log_.error("breaker", {{"state", lane::name_of(state)}, {"reason", last_reason_}});
    metrics_
        .gauge("sluice_consumer_breaker",
               "0 closed, 1 half open, 2 open: nothing succeeds, so the log is not read further")
        .Set(gauge_value(state));
}

void DeadLetterBudget::tell_readiness(const std::set<std::string>& used_up) {
    if (told_state_ != lane::Breaker::State::closed) {
        readiness_.set_unready(
            concern, "nothing succeeds, so the log is not read further; last error: " + last_reason_);
    } else if (!used_up.empty()) {
        const auto last_of = [this](const std::string& subject) {
            const auto reason = reasons_.find(subject);
            return reason == reasons_.end() ? last_reason_ : reason->second;  // further ones share a subject
        };
        readiness_.set_unready(
            concern,
            "too many dead letters, so the next events of these effects wait: " + joined(used_up, ", ") +
                "; last error: " + joined(used_up | std::views::take(most_told), "; ", last_of));
    } else {
        readiness_.set_ready(concern);
    }
}

Gauge& DeadLetterBudget::left_of(const std::string& subject) {
    return metrics_.gauge("sluice_consumer_dlq_budget", "Events that an effect may still dead-letter",
                          {{"effect", subject}});
}

}  // namespace sluice::consumer
