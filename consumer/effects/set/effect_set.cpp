#include "consumer/effects/set/effect_set.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "consumer/effects/change/change_effect.hpp"
#include "consumer/effects/effect/effects_digest.hpp"
#include "consumer/effects/effect/read_policy.hpp"
#include "consumer/effects/effect/signed_reads.hpp"
#include "consumer/effects/sql/sql_effect.hpp"
#include "consumer/store/driver/time_limit.hpp"
#include "consumer/store/inbox/effect_names.hpp"

namespace sluice::effects {
namespace {

// A worker waits meanwhile, and with it the objects whose keys fall to it.
constexpr Milliseconds least_within{100};
constexpr Milliseconds most_within = std::chrono::minutes{5};

// Named, so that a configuration of a later version is distinguished from a mistyped key.
constexpr std::array<std::string_view, 2> later_kinds{"outbox", "mirror"};

bool has_any(config::Section& section, std::span<const std::string_view> kinds) {
    // All are asked for, so that a key of another kind is not called unknown besides.
    bool any = false;
    for (const auto kind : kinds) any = section.has(kind) || any;
    return any;
}

/// The kind is not known, so what belongs to it cannot be judged.
std::unique_ptr<const Effect> unread(config::Section& section) {
    for (const auto key : {"let", "sql", "insert", "add", "set"}) section.leave_unread(key);
    return nullptr;
}

std::unique_ptr<const Effect> read_effect(config::Section section, const webhook::SourceSet& sources) {
    Heading heading{.name = section.required_text("name"),
                    .when = When::read(section.section("when"), sources),
                    .policy = read_policy(section)};
    heading.within = section.duration("within", heading.within, least_within, most_within);
    bool is_later = false;
    for (const auto kind : later_kinds) {
        if (!section.has(kind)) continue;
        section.problem_at(kind, "this version does not support effects of kind " + std::string{kind});
        is_later = true;
    }
    if (is_later) return unread(section);
    const bool is_sql = section.has("sql");
    const bool is_set_based = has_any(section, set_based_kinds);
    if (is_sql && is_set_based) {
        section.problem_at("sql",
                           "effect '" + heading.name + "' has sql and a set-based kind: make it two effects");
        return unread(section);
    }
    if (is_set_based) return read_change_effect(std::move(heading), section);
    if (is_sql) return read_sql_effect(std::move(heading), section);
    section.problem("effect '" + heading.name + "' has no kind: give sql, insert, add or set");
    return unread(section);
}

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
    for (const auto& effect : effects) names.push_back(effect->name());
    const std::size_t size = store::effects_text(names).size();
    if (size <= store::longest_effects) return;
    list.problem("the names of all effects together take " + std::to_string(size) +
                 " bytes, and MySQL keeps at most " + std::to_string(store::longest_effects) +
                 ": shorten them");
}

Verdict run_one(const Effect& effect, const EventView& event, store::Connection& connection, Timing* timing) {
    const store::TimeLimit limit{connection, effect.within()};
    if (timing == nullptr) return effect.run(event, connection);
    const SteadyTime start = timing->now();
    auto verdict = effect.run(event, connection);
    timing->took(effect, timing->now() - start);
    return verdict;
}

}  // namespace

EffectSet::EffectSet() = default;
EffectSet::EffectSet(EffectSet&&) noexcept = default;
EffectSet& EffectSet::operator=(EffectSet&&) noexcept = default;
EffectSet::~EffectSet() = default;

EffectSet EffectSet::read(const config::Document& document, const webhook::SourceSet& sources,
                          config::Problems& problems) {
    EffectSet set;
    set.version_.revision = read_revision(document);
    const auto value = document.value("effects");
    if (!value) return set;
    if (!value->is_list()) {
        value->problem("effects must be a list");
        return set;
    }
    const auto items = value->items();
    for (std::size_t i = 0; i < items.size(); ++i) {
        auto effect = read_effect(config::Section{items[i], "effects[" + std::to_string(i) + "]"}, sources);
        if (!effect) continue;
        const auto is_same = [&effect](const auto& other) { return other->name() == effect->name(); };
        if (!effect->name().empty() && std::ranges::any_of(set.effects_, is_same)) {
            problems.add(items[i].place(),
                         "there are two effects '" + effect->name() + "': each needs its own name");
        }
        check_signed_reads(*effect, sources, problems);
        set.effects_.push_back(std::move(effect));
    }
    check_names(set.effects_, *value);
    if (!problems.any()) set.version_.digest = digest_of(*value, sources);
    return set;
}

Result<std::vector<std::string>> EffectSet::check(store::Connection& connection,
                                                  config::Problems& problems) const {
    std::vector<std::string> missing;
    for (const auto& effect : effects_) {
        if (const auto done = effect->check(connection, problems, missing); !done) {
            return Failure{done.error()};
        }
    }
    return missing;
}

std::vector<const Effect*> EffectSet::matching(const record::EventHeaders& headers) const {
    std::vector<const Effect*> out;
    for (const auto& effect : effects_) {
        if (effect->matches(headers)) out.push_back(effect.get());
    }
    return out;
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
    bool any_done = effects.empty();
    for (const auto* effect : effects) {
        auto verdict = run_one(*effect, event, connection, timing);
        if (verdict.outcome != Outcome::done && verdict.outcome != Outcome::ignore) return verdict;
        any_done = any_done || verdict.outcome == Outcome::done;
    }
    return {any_done ? Outcome::done : Outcome::ignore, {}, {}, {}};
}

}  // namespace sluice::effects
