#include "consumer/effects/effect_set/effect_set.hpp"

#include <algorithm>

#include "consumer/destination/destination.hpp"
#include "consumer/effects/effect/effects_digest.hpp"
#include "consumer/effects/effect/impossible_reads.hpp"
#include "consumer/effects/effect/second_look.hpp"
#include "consumer/effects/effect/signed_reads.hpp"
#include "consumer/effects/effect/unsaid_facts.hpp"
#include "consumer/effects/effect_set/read_effect.hpp"
#include "consumer/effects/set_based/newer_times.hpp"
#include "consumer/effects/set_based/upserts_agree.hpp"
#include "consumer/store/driver/time_limit.hpp"
#include "consumer/store/inbox/effect_names.hpp"

namespace sluice::effects {
namespace {

std::int64_t read_revision(const config::Document& document) {
    const auto value = document.value("effects_revision");
    if (!value) return 0;
    const auto revision = value->integer().value_or(1);
    if (revision < 1) value->problem("effects_revision must be a whole number, at least 1");
    if (revision > store::highest_revision)
        value->problem("effects_revision must be at most " + std::to_string(store::highest_revision) +
                       ": rollbacks need higher ones");
    return revision;
}

/// All may match one event, and its row in a lane keeps their names.
void check_names(const std::vector<std::unique_ptr<const Effect>>& effects, const config::Value& list) {
    std::vector<std::string> names;
    names.reserve(effects.size());
    for (const auto& effect : effects) names.push_back(effect->name());
    const std::size_t size = store::effects_text(names).size();
    if (size <= store::longest_effects) return;
    list.problem("the names of all effects together take " + std::to_string(size) +
                 " bytes, and MySQL keeps at most " + std::to_string(store::longest_effects) +
                 ": shorten them");
}

std::vector<std::string> code_of(const std::vector<std::unique_ptr<const Effect>>& effects) {
    std::vector<std::string> all;
    for (const auto& effect : effects)
        if (auto code = effect->code(); !code.empty()) all.push_back(std::move(code));
    return all;
}

bool uses_payment(const Effect& effect) {
    const auto is_fact = [](const ValueSource& one) { return one.from == ValueSource::From::payment; };
    return effect.when().is_for_payments() || std::ranges::any_of(effect.let(), [&](const Parameter& one) {
               return std::ranges::any_of(one.from, is_fact);
           });
}

Verdict run_one(const Effect& effect, const EventView& event, store::Connection& connection, Timing* timing,
                Limits limits) {
    if (auto verdict = verdict_without_run(effect, event.body)) return std::move(*verdict);
    std::optional<store::TimeLimit> limit;
    if (limits == Limits::of_effect) limit.emplace(connection, effect.within());
    if (timing == nullptr) return effect.run(event, connection);
    const SteadyTime start = timing->now();
    auto verdict = effect.run(event, connection);
    timing->took(effect, verdict, timing->now() - start);
    return verdict;
}

}  // namespace

EffectSet::EffectSet() = default;
EffectSet::EffectSet(EffectSet&&) noexcept = default;
EffectSet& EffectSet::operator=(EffectSet&&) noexcept = default;
EffectSet::~EffectSet() = default;

EffectSet EffectSet::read(const config::Document& document, const webhook::SourceSet& sources,
                          config::Problems& problems, std::span<const Handler> handlers) {
    EffectSet set;
    set.version_.revision = read_revision(document);
    const auto value = document.value("effects");
    if (!value) return set;
    if (!value->is_list()) {
        value->problem("effects must be a list");
        return set;
    }
    const auto destinations = destination::destination_names(document);
    const auto items = value->items();
    for (std::size_t i = 0; i < items.size(); ++i) {
        auto effect = read_effect(config::Section{items[i], "effects[" + std::to_string(i) + "]"}, sources,
                                  destinations, handlers);
        if (!effect) continue;
        const auto is_same = [&effect](const auto& other) { return other->name() == effect->name(); };
        if (!effect->name().empty() && std::ranges::any_of(set.effects_, is_same)) {
            problems.add(items[i].place(),
                         "there are two effects '" + effect->name() + "': each needs its own name");
        }
        check_signed_reads(*effect, sources, problems);
        check_possible_reads(*effect, sources, problems);
        doubt_unsaid_facts(*effect, sources, items[i].place(), problems);
        check_newer_times(*effect, sources, problems);
        set.reads_payments_ |= uses_payment(*effect);
        set.effects_.push_back(std::move(effect));
    }
    check_names(set.effects_, *value);
    check_upserts_agree(set.effects_, problems);
    if (!problems.any()) set.version_.digest = digest_of(*value, sources, code_of(set.effects_));
    return set;
}

Result<std::vector<Lack>> EffectSet::check(store::Connection& connection, config::Problems& problems) const {
    std::vector<Lack> missing;
    for (const auto& effect : effects_) {
        if (const auto done = effect->check(connection, problems, missing); !done) {
            return Failure{done.error()};
        }
    }
    return missing;
}

std::vector<const Effect*> EffectSet::matching(const record::EventHeaders& headers,
                                               const SaidByBody& said) const {
    std::vector<const Effect*> out;
    for (const auto& effect : effects_) {
        if (effect->when().matches(headers, said)) out.push_back(effect.get());
    }
    return out;
}

bool EffectSet::asks_body(const record::EventHeaders& headers) const {
    return std::ranges::any_of(effects_, [&headers](const auto& effect) {
        return effect->when().asks_body() && effect->when().matches(headers);
    });
}

bool EffectSet::asks_places(const record::EventHeaders& headers) const {
    return std::ranges::any_of(effects_, [&headers](const auto& effect) {
        return !effect->when().body_tests().empty() && effect->when().matches(headers);
    });
}

const Effect* EffectSet::find(std::string_view name) const noexcept {
    const auto found = std::ranges::find(
        effects_, name, [](const auto& effect) -> std::string_view { return effect->name(); });
    return found == effects_.end() ? nullptr : found->get();
}

Milliseconds EffectSet::longest_within() const noexcept {
    Milliseconds longest{0};
    for (const auto& effect : effects_) longest = std::max(longest, effect->within());
    return longest;
}

Verdict EffectSet::run(std::span<const Effect* const> effects, const EventView& event,
                       store::Connection& connection, Timing* timing) const {
    return run_effects(effects, event, connection, timing);
}

Verdict run_effects(std::span<const Effect* const> effects, const EventView& event,
                    store::Connection& connection, Timing* timing, Limits limits) {
    bool any_done = effects.empty();
    for (const auto* effect : effects) {
        auto verdict = run_one(*effect, event, connection, timing, limits);
        if (verdict.outcome != Outcome::done && verdict.outcome != Outcome::ignore) return verdict;
        any_done = any_done || verdict.outcome == Outcome::done;
    }
    return {any_done ? Outcome::done : Outcome::ignore, {}, {}, {}};
}

}  // namespace sluice::effects
