#include "consumer/effects/outcome/outcome.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace sluice::effects {
namespace {

constexpr std::array<std::pair<Outcome, std::string_view>, 5> outcome_names{{
    {Outcome::done, "done"},
    {Outcome::ignore, "ignore"},
    {Outcome::defer, "defer"},
    {Outcome::retry, "retry"},
    {Outcome::park, "park"},
}};

}  // namespace

std::string_view name_of(Outcome outcome) noexcept {
    return std::ranges::find(outcome_names, outcome, &std::pair<Outcome, std::string_view>::first)->second;
}

std::optional<Outcome> outcome_from(std::string_view name) noexcept {
    const auto* found = std::ranges::find(outcome_names, name, &std::pair<Outcome, std::string_view>::second);
    if (found == outcome_names.end()) return std::nullopt;
    return found->first;
}

}  // namespace sluice::effects
