#include "consumer/effects/effect_set/rerun.hpp"

#include <algorithm>

namespace sluice::effects {
namespace {

/// Against a row of this status; empty: it is finished.
std::string_view objection_to(store::InboxStatus status) {
    switch (status) {
        case store::InboxStatus::done:
        case store::InboxStatus::ignored:
            return {};
        case store::InboxStatus::skipped:
            return "skipped";
        case store::InboxStatus::rerun:
            return "under_way";
        case store::InboxStatus::newer:
            return "newer";
        default:
            break;
    }
    return "unfinished";
}

std::optional<std::vector<std::string>> had_by(const store::InboxRow& row) {
    if (row.had_effects || row.status != store::InboxStatus::ignored) return row.had_effects;
    return std::vector<std::string>{};
}

}  // namespace

Rerun rerun_of(const store::InboxRow& row, std::span<const Effect* const> matching, const EffectSet& effects,
               std::string_view only) {
    if (const auto why = objection_to(row.status); !why.empty())
        return {.had = {}, .effects = {}, .why = why};
    if (!only.empty() && effects.find(only) == nullptr)
        return {.had = {}, .effects = {}, .why = "no_such_effect"};
    auto had = had_by(row);
    if (!had) return {.had = {}, .effects = {}, .why = "had_unknown"};
    Rerun rerun{.had = std::move(*had), .effects = {}};
    for (const Effect* effect : matching) {
        const bool is_asked_for = only.empty() || effect->name() == only;
        if (is_asked_for && !std::ranges::contains(rerun.had, effect->name()))
            rerun.effects.push_back(effect->name());
    }
    if (rerun.effects.empty()) rerun.why = "had_all";
    return rerun;
}

}  // namespace sluice::effects
