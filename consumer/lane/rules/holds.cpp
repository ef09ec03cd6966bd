#include "consumer/lane/rules/holds.hpp"

#include <utility>

namespace sluice::lane {
namespace {

constexpr int slow_ones_in_a_row = 3;
constexpr std::chrono::seconds between_looks{1};
constexpr std::chrono::minutes untried_for{1};

bool is_held(const Breaker& breaker) {
    // Open at some time since: at the end of time its wait is over, and it is half open.
    return breaker.state(SteadyTime::max()) != Breaker::State::closed;
}

}  // namespace

void Holds::failed(std::string_view effect, Why why, std::string_view reason, SteadyTime now) {
    const auto known = effects_.find(effect);
    Trouble& trouble =
        known != effects_.end()
            ? known->second
            : effects_.emplace(effect, Trouble{Breaker{slow_ones_in_a_row}, why, {}}).first->second;
    trouble.why = why;
    trouble.reason = reason;
    trouble.failed_at = now;
    const int weight = why == Why::missing ? slow_ones_in_a_row : 1;
    for (int i = 0; i < weight; ++i) trouble.breaker.failed(now);
}

void Holds::worked(std::string_view effect) {
    const auto known = effects_.find(effect);
    if (known != effects_.end()) effects_.erase(known);
}

void Holds::told_nothing(std::string_view effect) {
    const auto known = effects_.find(effect);
    if (known != effects_.end()) known->second.breaker.probe_back();
}

std::optional<Holds::Held> Holds::held(std::span<const std::string_view> effects, SteadyTime now) const {
    for (const std::string_view effect : effects) {
        const auto known = effects_.find(effect);
        if (known == effects_.end()) continue;
        if (known->second.breaker.state(now) == Breaker::State::open)
            return Held{known->first, known->second.reason};
    }
    return std::nullopt;
}

std::optional<Holds::Held> Holds::not_admitted(std::span<const std::string_view> effects, SteadyTime now) {
    // Before one is let through: an attempt that another effect holds back would show nothing.
    if (auto known = held(effects, now)) return known;
    for (const std::string_view effect : effects) {
        const auto known = effects_.find(effect);
        if (known == effects_.end() || known->second.breaker.admits(now)) continue;
        return Held{known->first, known->second.reason};
    }
    return std::nullopt;
}

std::vector<Holds::Held> Holds::all() const {
    std::vector<Held> held;
    for (const auto& [effect, trouble] : effects_) {
        if (is_held(trouble.breaker)) held.push_back({effect, trouble.reason});
    }
    return held;
}

std::vector<std::string> Holds::to_look_at(SteadyTime now) {
    std::vector<std::string> due;
    for (auto& [effect, trouble] : effects_) {
        if (trouble.why != Why::missing || now - trouble.looked_at < between_looks) continue;
        trouble.looked_at = now;
        due.push_back(effect);
    }
    return due;
}

void Holds::forget_untried(SteadyTime now) {
    std::erase_if(effects_, [now](const auto& entry) {
        const Trouble& trouble = entry.second;
        const bool is_open = trouble.breaker.state(now) == Breaker::State::open;
        return trouble.why == Why::slow && !is_open && now - trouble.failed_at >= untried_for;
    });
}

}  // namespace sluice::lane
