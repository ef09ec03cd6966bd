#include "consumer/lane/rules/budget.hpp"

#include <algorithm>

namespace sluice::lane {
namespace {

constexpr std::size_t most_subjects = 1000;
// Not never: of a subject that no success can bring back (what cannot be read) nobody would hear any more.
constexpr int slowness_when_used_up = 10;
constexpr std::string_view all_others = "(others)";

Breaker::State state_by(bool ran_out, int left) noexcept {
    if (left == 0) return Breaker::State::open;
    return ran_out ? Breaker::State::half_open : Breaker::State::closed;
}

}  // namespace

Budget::Budget(const BudgetSettings& settings) : settings_{settings}, breaker_{settings.pause_after} {}

void Budget::succeeded(std::span<const std::string_view> subjects, SteadyTime now) {
    breaker_.succeeded();
    if (purses_.empty()) return;  // the ordinary case
    for (const auto subject : subjects) pay_back(subject, now);
}

void Budget::failed(SteadyTime now) {
    breaker_.failed(now);
}

bool Budget::may_die(std::string_view subject, SteadyTime now) {
    if (breaker_.state(now) != Breaker::State::closed) return false;
    if (settings_.events == 0) return true;
    auto& purse = purse_of(subject, now)->second;
    if (purse.left == 0) return false;
    --purse.left;
    purse.ran_out = purse.ran_out || purse.left == 0;
    return true;
}

std::vector<Budget::Subject> Budget::spending(SteadyTime now) const {
    std::vector<Subject> subjects;
    for (const auto& [name, stored] : purses_) {
        const Purse purse = refilled(stored, now);
        if (!is_whole(purse)) subjects.push_back({name, state_by(purse.ran_out, purse.left), purse.left});
    }
    return subjects;
}

Budget::Purse Budget::refilled(Purse purse, SteadyTime now) const {
    const Milliseconds pace = purse.left == 0 ? slowness_when_used_up * settings_.refill : settings_.refill;
    const auto times = std::max<std::int64_t>(0, (now - purse.refilled_at) / pace);
    purse.refilled_at += times * pace;
    if (purse.left == 0) {
        purse.left = static_cast<int>(std::min<std::int64_t>(times, 1));
        return purse;
    }
    purse.left = static_cast<int>(std::min<std::int64_t>(settings_.events, purse.left + times));
    return purse;
}

Budget::Purses::iterator Budget::purse_of(std::string_view subject, SteadyTime now) {
    auto found = purses_.find(subject);
    if (found == purses_.end() && purses_.size() >= most_subjects) {
        forget_whole(now);
        if (purses_.size() >= most_subjects) subject = all_others;
        found = purses_.find(subject);
    }
    const Purse whole{.left = settings_.events, .ran_out = false, .refilled_at = now};
    if (found == purses_.end()) return purses_.emplace(subject, whole).first;
    found->second = refilled(found->second, now);
    if (is_whole(found->second)) found->second = whole;
    return found;
}

void Budget::pay_back(std::string_view subject, SteadyTime now) {
    auto found = purses_.find(subject);
    if (found == purses_.end()) found = purses_.find(all_others);
    if (found == purses_.end()) return;
    found->second = refilled(found->second, now);
    ++found->second.left;
    if (is_whole(found->second)) purses_.erase(found);
}

void Budget::forget_whole(SteadyTime now) {
    std::erase_if(purses_, [&](const auto& entry) { return is_whole(refilled(entry.second, now)); });
}

}  // namespace sluice::lane
