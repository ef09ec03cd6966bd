#include "consumer/effects/set_based/newer_times.hpp"

#include <algorithm>

#include "common/webhook/recipe/program.hpp"
#include "consumer/effects/set_based/change_effect.hpp"

namespace sluice::effects {
namespace {

constexpr std::string_view field = "occurred_at";

bool is_the_time(const Operand& operand, std::span<const Parameter> let) {
    if (operand.kind == Operand::Kind::built_in) return operand.text == field;
    if (operand.kind != Operand::Kind::parameter) return false;
    const auto& places = let[operand.parameter].from;
    return !places.empty() && std::ranges::all_of(places, [](const ValueSource& place) {
        return place.from == ValueSource::From::event && place.name == field && !place.fallback;
    });
}

bool have_no_time(const When& when, const webhook::SourceSet& sources) {
    bool any = false;
    for (const auto& source : sources) {
        if (!when.is_for(*source)) continue;
        if (source->program == nullptr || !source->program->extraction.time.empty()) return false;
        any = true;
    }
    return any;
}

}  // namespace

void check_newer_times(const Effect& effect, const webhook::SourceSet& sources, config::Problems& problems) {
    const auto* set_based = dynamic_cast<const ChangeEffect*>(&effect);
    if (set_based == nullptr || !have_no_time(effect.when(), sources)) return;
    for (const auto& change : set_based->changes()) {
        const auto* upsert = std::get_if<Upsert>(&change.what);
        if (upsert == nullptr) continue;
        for (const Cell& cell : upsert->newer) {
            if (!is_the_time(cell.value, effect.let())) continue;
            problems.add(cell.place,
                         "effect '" + effect.name() + "': " + cell.column +
                             " is :occurred_at, and no source that the effect is for says when an "
                             "event occurred: use a time or a version of the body");
        }
    }
}

}  // namespace sluice::effects
