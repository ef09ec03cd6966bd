#include "consumer/apply/effects_run.hpp"

#include "common/webhook/extract/decode.hpp"
#include "common/webhook/payment/payment.hpp"
#include "common/webhook/recipe/program.hpp"
#include "consumer/apply/effect_holds.hpp"
#include "consumer/apply/payment_said.hpp"
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

/// What cannot be told is the trouble of each fact, so that only effects for payments fail.
std::optional<webhook::Payment> payment_in(const webhook::Source& source, const webhook::JsonView& body) {
    if (!source.program->payment) return std::nullopt;
    const webhook::PaymentRule& rule = *source.program->payment;
    const auto its = webhook::case_of(rule, body);
    if (its) return *its == nullptr ? std::nullopt : std::optional{webhook::payment_of(rule, **its, body)};
    webhook::Payment unknown;
    for (webhook::PaymentValue& value : unknown.values)
        value.trouble = "the kind of payment cannot be told: " + its.error().message();
    return unknown;
}

effects::RecordPlace place_of(const Record& record, std::string_view topic_read) {
    if (record.at.offset < 0) return {};
    return {record.topic.empty() ? topic_read : record.topic, record.at.partition, record.at.offset};
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

std::expected<void, Setback> setback_of(const effects::Verdict& verdict,
                                        const store::Connection& connection) {
    const std::string effect = verdict.effect.empty() ? "effects: " : "effect " + verdict.effect + ": ";
    if (verdict.error.category() == store::category()) {
        Setback setback = statement_failed(connection, verdict.error);
        setback.reason = effect + setback.reason;
        setback.effect = verdict.effect;
        setback.of_effects = true;
        return std::unexpected(std::move(setback));
    }
    if (verdict.outcome == effects::Outcome::done || verdict.outcome == effects::Outcome::ignore) return {};
    return std::unexpected(Setback{.outcome = verdict.outcome,
                                   .database = {},
                                   .own_class = {},
                                   .reason = effect + verdict.reason,
                                   .effect = verdict.effect,
                                   .case_class = verdict.case_class,
                                   .quotes_event = verdict.quotes_event});
}

std::expected<void, Setback> EffectsRun::run(const Item& item,
                                             std::span<const effects::Effect* const> effects,
                                             store::Connection& connection) {
    if (!has_source_of(item, rules_.sources)) return std::unexpected(source_unknown(item));
    if (effects.empty()) return {};
    if (auto read = read_body(item); !read) return read;
    if (auto cause = failure_if_cause(item.failures.troubled)) return std::unexpected(std::move(*cause));
    if (rules_.holds == nullptr) return run_now(item, effects, connection);
    if (auto held = rules_.holds->not_admitted(effects)) return std::unexpected(std::move(*held));
    auto run = run_now(item, effects, connection);
    rules_.holds->ran(effects, run ? nullptr : &run.error());
    return run;
}

std::expected<void, Setback> EffectsRun::run_now(const Item& item,
                                                 std::span<const effects::Effect* const> effects,
                                                 store::Connection& connection) {
    return setback_of(rules_.effects.run(effects, {item.event, body()}, connection, rules_.times),
                      connection);
}

std::expected<void, Setback> EffectsRun::read_body(const Item& item) {
    source_ = source_of(item, rules_.sources);
    if (source_ == nullptr) {
        return std::unexpected(unreadable("no source of provider " + item.event.provider +
                                          " is configured, so the body cannot be read"));
    }
    const auto read = consumer::read_body(*source_, item.record.value, item.edited, view_);
    if (!read) return std::unexpected(unreadable(read.error().message()));
    headers_ = item.record.headers;
    bytes_ = item.record.value;
    at_ = place_of(item.record, rules_.kafka.topic);
    if (rules_.effects.reads_payments()) payment_ = payment_in(*source_, view_);
    return {};
}

void EffectsRun::note_payment(Item& item) const {
    if (!item.payment) item.payment = payment_said(*source_, view_);
}

}  // namespace sluice::consumer
