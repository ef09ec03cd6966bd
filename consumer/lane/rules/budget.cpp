#include "consumer/lane/rules/budget.hpp"

#include <algorithm>

namespace sluice::lane {
namespace {

constexpr std::size_t most_subjects = 1000;
// Not never: a subject that no success can bring back (what cannot be read) would never be heard of again.
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
    if (tokens_.empty()) return;  // the ordinary case
    for (const auto subject : subjects) pay_back(subject, now);
}

void Budget::failed(SteadyTime now) {
    breaker_.failed(now);
}

bool Budget::may_dead_letter(std::string_view subject, SteadyTime now) {
    if (breaker_.state(now) != Breaker::State::closed) return false;
    if (settings_.events == 0) return true;
    auto& tokens = tokens_of(subject, now)->second;
    if (tokens.left == 0) return false;
    --tokens.left;
    tokens.ran_out = tokens.ran_out || tokens.left == 0;
    return true;
}

std::vector<Budget::Subject> Budget::spending(SteadyTime now) const {
    std::vector<Subject> subjects;
    for (const auto& [name, stored] : tokens_) {
        const Tokens tokens = refilled(stored, now);
        if (!is_whole(tokens)) subjects.push_back({name, state_by(tokens.ran_out, tokens.left), tokens.left});
    }
    return subjects;
}

Budget::Tokens Budget::refilled(Tokens tokens, SteadyTime now) const {
    const Milliseconds pace = tokens.left == 0 ? slowness_when_used_up * settings_.refill : settings_.refill;
    const auto times = std::max<std::int64_t>(0, (now - tokens.refilled_at) / pace);
    tokens.refilled_at += times * pace;
    if (tokens.left == 0) {
        tokens.left = static_cast<int>(std::min<std::int64_t>(times, 1));
        return tokens;
    }
    tokens.left = static_cast<int>(std::min<std::int64_t>(settings_.events, tokens.left + times));
    return tokens;
}

Budget::TokensBySubject::iterator Budget::tokens_of(std::string_view subject, SteadyTime now) {
    auto found = tokens_.find(subject);
    if (found == tokens_.end() && tokens_.size() >= most_subjects) {
        forget_whole(now);
        if (tokens_.size() >= most_subjects) subject = all_others;
        found = tokens_.find(subject);
    }
    const Tokens whole{.left = settings_.events, .ran_out = false, .refilled_at = now};
    if (found == tokens_.end()) return tokens_.emplace(subject, whole).first;
    found->second = refilled(found->second, now);
    if (is_whole(found->second)) found->second = whole;
    return found;
}

void Budget::pay_back(std::string_view subject, SteadyTime now) {
    auto found = tokens_.find(subject);
    if (found == tokens_.end()) found = tokens_.find(all_others);
    if (found == tokens_.end()) return;
    found->second = refilled(found->second, now);
    ++found->second.left;
    if (is_whole(found->second)) tokens_.erase(found);
}

void Budget::forget_whole(SteadyTime now) {
    std::erase_if(tokens_, [&](const auto& entry) { return is_whole(refilled(entry.second, now)); });
}

}  // namespace sluice::lane
