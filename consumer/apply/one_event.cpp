#include "consumer/apply/one_event.hpp"

#include "common/webhook/extract/decode.hpp"
#include "consumer/apply/effect_holds.hpp"
#include "consumer/apply/troubled_runs.hpp"

namespace sluice::consumer {
namespace {

Setback unreadable(std::string why) {
    return {.outcome = effects::Outcome::park,
            .database = {},
            .own_class = "unreadable",
            .reason = std::move(why),
            .effect = {}};
}

}  // namespace

Setback source_unknown(const Item& item) {
    return {.outcome = effects::Outcome::retry,
            .database = {},
            .own_class = source_unknown_class,
            .reason = "this process has no source with provider " + item.event.provider + " and principal " +
                      item.event.principal,
            .effect = {}};
}

std::optional<Setback> setback_of(const effects::Verdict& verdict, const store::Connection& connection) {
    const std::string effect = verdict.effect.empty() ? "effects: " : "effect " + verdict.effect + ": ";
    if (verdict.error.category() == store::category()) {
        Setback setback = statement_failed(connection, verdict.error);
        setback.reason = effect + setback.reason;
        setback.effect = verdict.effect;
        setback.of_effects = true;
        return setback;
    }
    if (verdict.outcome == effects::Outcome::done || verdict.outcome == effects::Outcome::ignore)
        return std::nullopt;
    return Setback{.outcome = verdict.outcome,
                   .database = {},
                   .own_class = {},
                   .reason = effect + verdict.reason,
                   .effect = verdict.effect};
}

std::optional<Setback> OneEvent::run(const Item& item, std::span<const effects::Effect* const> effects,
                                     store::Connection& connection) {
    if (!has_source_of(item, rules_.sources)) return source_unknown(item);
    if (effects.empty()) return std::nullopt;
    if (auto setback = read_body(item)) return setback;
    if (auto given_up = too_many(item.failures.troubled)) return given_up;
    if (rules_.holds == nullptr) return run_now(item, effects, connection);
    if (auto held = rules_.holds->not_admitted(effects)) return held;
    auto setback = run_now(item, effects, connection);
    rules_.holds->ran(effects, setback ? &*setback : nullptr);
    return setback;
}

std::optional<Setback> OneEvent::run_now(const Item& item, std::span<const effects::Effect* const> effects,
                                         store::Connection& connection) {
    return setback_of(rules_.effects.run(effects, {item.event, view_}, connection, rules_.times), connection);
}

std::optional<Setback> OneEvent::read_body(const Item& item) {
    const webhook::Source* source = source_of(item, rules_.sources);
    if (source == nullptr) {
        return unreadable("no source of provider " + item.event.provider +
                          " is configured, so the body cannot be read");
    }
    if (auto read = webhook::decode(*source, item.record.value, view_); !read) {
        return unreadable(read.error().message());
    }
    return std::nullopt;
}

}  // namespace sluice::consumer
