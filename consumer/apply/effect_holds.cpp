#include "consumer/apply/effect_holds.hpp"

namespace sluice::consumer {
namespace {

constexpr const char* held_effects = "held_effects";

std::vector<std::string_view> name_views(EffectHolds::Effects effects) {
    std::vector<std::string_view> names;
    for (const effects::Effect* effect : effects) names.push_back(effect->name());
    return names;
}

/// What a failure says of all events of its effect; nullopt: nothing.
std::optional<lane::Holds::Why> why_of(const Setback& setback) {
    if (setback.effect.empty()) return std::nullopt;
    if (setback.database == store::ErrorClass::schema) return lane::Holds::Why::missing;
    // Not of a lock: it may be one row's, and the effect's other rows are free.
    if (setback.database == store::ErrorClass::overdue) return lane::Holds::Why::slow;
    return std::nullopt;
}

Setback held_back(const lane::Holds::Held& held) {
    Setback setback;
    setback.outcome = effects::Outcome::retry;
    setback.reason = "effect " + held.effect + " is held: " + held.reason;
    setback.effect = held.effect;
    setback.is_held = true;
    return setback;
}

}  // namespace

EffectHolds::EffectHolds(const Clock& clock, Log& log, Metrics& metrics, Readiness& readiness)
    : clock_{clock}, log_{log}, metrics_{metrics}, readiness_{readiness} {
    readiness_.set_ready(held_effects);
}

std::optional<Setback> EffectHolds::held(Effects effects) {
    if (is_calm()) return std::nullopt;
    const std::lock_guard lock{mutex_};
    return holds_.held(name_views(effects), clock_.steady()).transform(held_back);
}

std::optional<Setback> EffectHolds::not_admitted(Effects effects) {
    if (is_calm()) return std::nullopt;
    const std::lock_guard lock{mutex_};
    return holds_.not_admitted(name_views(effects), clock_.steady()).transform(held_back);
}

void EffectHolds::ran(Effects effects, const Setback* setback) {
    const auto why = setback != nullptr ? why_of(*setback) : std::nullopt;
    if (!why && is_calm()) return;
    const std::lock_guard lock{mutex_};
    // They run one after the other, up to the one that decided. Its statements ran too, unless it lacks
    // something.
    bool has_run = setback == nullptr || (!setback->effect.empty() && !is_trouble(*setback));
    for (const std::string_view name : name_views(effects)) {
        const bool decided = setback != nullptr && name == setback->effect;
        if (decided && why) {
            holds_.failed(name, *why, setback->reason, clock_.steady());
        } else if (has_run) {
            holds_.worked(name);
        } else {
            holds_.told_nothing(name);
        }
        if (decided) has_run = false;
    }
    tell();
}

void EffectHolds::lacks(std::string_view effect, std::string_view what) {
    const std::lock_guard lock{mutex_};
    holds_.failed(effect, lane::Holds::Why::missing, what, clock_.steady());
    tell();
}

Result<void> EffectHolds::look_again(const effects::EffectSet& effects, store::Connection& connection) {
    if (is_calm()) return {};
    std::vector<std::string> due;
    {
        const std::lock_guard lock{mutex_};
        due = holds_.to_look_at(clock_.steady());
        holds_.forget_untried(clock_.steady());
        tell();
    }
    for (const std::string& name : due) {
        const effects::Effect* effect = effects.find(name);
        config::Problems problems;
        std::vector<effects::Lack> missing;
        const auto looked = effect->check(connection, problems, missing);
        const bool is_altered = !looked && store::class_of(looked.error()) == store::ErrorClass::lost_lock;
        if (!looked && !is_altered) return looked;
        if (is_altered || problems.any() || !missing.empty()) continue;
        const std::lock_guard lock{mutex_};
        holds_.worked(name);
        tell();
    }
    return {};
}

void EffectHolds::tell() {
    std::set<std::string> held;
    std::string sentence;
    for (const auto& [effect, reason] : holds_.all()) {
        held.insert(effect);
        sentence += (sentence.empty() ? "" : "; ") + effect + ": " + reason;
        if (!told_.contains(effect)) log_.error("effect_held", {{"effect", effect}, {"reason", reason}});
    }
    const auto gauge = [this](const std::string& effect) -> Gauge& {
        return metrics_.gauge("sluice_consumer_effect_held",
                              "1 while events of the effect wait in their lanes without an attempt",
                              {{"effect", effect}});
    };
    for (const std::string& effect : held) gauge(effect).Set(1);
    for (const std::string& effect : told_) {
        if (held.contains(effect)) continue;
        gauge(effect).Set(0);
        log_.info("effect_held_no_longer", {{"effect", effect}});
    }
    if (held.empty()) {
        readiness_.set_ready(held_effects);
    } else {
        readiness_.set_unready(
            held_effects, "events of these effects wait in their lanes, other events go on: " + sentence);
    }
    told_ = std::move(held);
    is_calm_ = holds_.empty();
}

}  // namespace sluice::consumer
