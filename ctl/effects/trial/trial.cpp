#include "ctl/effects/trial/trial.hpp"

#include <memory_resource>

#include "common/failpoint.hpp"
#include "consumer/apply/effects_run.hpp"
#include "consumer/store/driver/open_transaction.hpp"
#include "consumer/store/lane/lane.hpp"
#include "ctl/effects/trial/recorder.hpp"

namespace sluice::ctl {
namespace {

using consumer::Item;
using consumer::Rules;

std::string kind_of(const std::optional<webhook::Payment>& payment) {
    if (!payment) return {};
    const auto* kind = std::get_if<std::string>(&(*payment)[webhook::PaymentFact::kind].value);
    return kind == nullptr ? std::string{} : *kind;
}

/// As the effect reads them; up to the first that cannot be read, where its run ended too.
std::vector<std::pair<std::string, Json>> values_of(const effects::Effect& effect,
                                                    const effects::EventView& event) {
    std::pmr::monotonic_buffer_resource made;
    std::vector<store::Datum> values;
    static_cast<void>(effect.evaluate(event, values, made));
    std::vector<std::pair<std::string, Json>> named;
    for (std::size_t i = 0; i < values.size(); ++i)
        named.emplace_back(effect.let()[i].name, json_of(values[i]));
    return named;
}

/// What the effects read, for people: their run says what is wrong with it.
void note_values(Trial& trial, const Item& item, consumer::EffectsRun& run) {
    if (!run.read_body(item)) return;
    const effects::EventBody body = run.body();
    if (body.payment != nullptr) trial.payment = *body.payment;
    const std::string kind = kind_of(trial.payment);
    const effects::SaidByBody said{.payment = kind, .body = &body.json};
    for (TrialEffect& each : trial.effects) {
        each.let = values_of(*each.effect, {trial.event, body});
        each.because = each.effect->when().conditions(trial.event, said);
    }
}

}  // namespace

Result<Trial> try_effects(Item item, const Rules& rules, store::Connection& connection, const Clock& clock) {
    Trial trial{.event = item.event, .payment = {}, .effects = {}, .end = {}};
    const auto matching = consumer::effects_for(item, rules);
    for (const auto* effect : matching) trial.effects.push_back({.effect = effect});
    const auto busy = store::busy_lanes(connection, {&consumer::lane_of(item), 1});
    if (!busy) return Failure{busy.error()};
    trial.has_lane = !busy->empty();

    Recorder recorder{connection, clock};
    recorder.start(trial.effects);
    Rules watched = rules;
    watched.times = &recorder;
    consumer::EffectsRun run{watched};
    auto open = store::OpenTransaction::begin(connection);
    if (!open) return Failure{open.error()};
    connection.be_observed(&recorder);
    const auto done = run.run(item, matching, connection);
    connection.be_observed(nullptr);
    if (FP("ctl.before_trial_rollback")) return Failure{std::make_error_code(std::errc::interrupted)};
    open->roll_back();

    trial.end = end_of(done ? nullptr : &done.error(), trial.effects, rules.effects, clock.wall());
    note_values(trial, item, run);
    return trial;
}

}  // namespace sluice::ctl
