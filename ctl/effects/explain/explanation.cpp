#include "ctl/effects/explain/explanation.hpp"

#include <algorithm>
#include <memory>

#include "common/config/nearest_key.hpp"
#include "common/joined.hpp"
#include "common/webhook/recipe/program.hpp"
#include "consumer/apply/payment_said.hpp"
#include "ctl/cli/exit.hpp"
#include "ctl/effects/trial/given_event.hpp"
#include "ctl/send/traffic/sample.hpp"

namespace sluice::ctl {
namespace {

/// A body and the view of it, which stay together.
struct ReadBody {
    std::string text;
    webhook::JsonView view;
};

/// What is known of events of a type from one source.
struct Like {
    record::EventHeaders headers;
    std::optional<std::string> payment;  ///< the kind; nullopt: only a body tells
    std::string words;
    std::unique_ptr<ReadBody> body{};  ///< null: there is none, or nobody can read it

    [[nodiscard]] effects::SaidByBody said() const {
        return {.payment = payment, .body = body == nullptr ? nullptr : &body->view};
    }
};

std::unique_ptr<ReadBody> read(const webhook::Source& source, std::string text) {
    auto body = std::make_unique<ReadBody>(std::move(text));
    if (!consumer::read_body(source, body->text, false, body->view)) body.reset();
    return body;
}

Like like_any(const webhook::Source& source, const std::string& type);

/// Like any event where the source's own recipe cannot read the sample.
Like like_its_sample(const webhook::Source& source, const std::string& type,
                     const webhook::SourceSet& sources, WallTime now) {
    std::vector<TrialEvent> events;
    try {
        events = events_of({.source = source.name, .type = type, .seed = 1}, sources, now);
    } catch (const Stopped&) {
        return like_any(source, type);
    }
    const auto item = item_of(events.front());
    Like like{.headers = item->event, .payment = {}, .words = "its sample"};
    like.payment.emplace(consumer::payment_said(*item, sources).kind.value_or(""));
    like.body = read(source, events.front().body);
    like.words += like.payment->empty() ? ", no payment" : ", a payment that is " + *like.payment;
    return like;
}

Like like_any(const webhook::Source& source, const std::string& type) {
    Like like{.headers = {}, .payment = {}, .words = "any event of the type"};
    like.headers.source = source.name;
    like.headers.provider = source.provider;
    like.headers.principal = source.principal;
    like.headers.type = type;
    if (source.trust != webhook::Trust::full) like.headers.trust = webhook::name_of(source.trust);
    if (!source.program->payment) like.payment.emplace();  // its recipe knows no payments
    return like;
}

std::string why_not(const effects::Condition& condition) {
    const std::string has = condition.has.empty() ? "no " + std::string{condition.key} : condition.has;
    return std::string{condition.key} + ": it is for " + condition.wanted + ", and this is " + has;
}

std::string why(const std::vector<effects::Condition>& conditions) {
    const auto missed = std::ranges::find(conditions, false, &effects::Condition::holds);
    if (missed != conditions.end()) return why_not(*missed);
    return joined(conditions, ", ", [](const effects::Condition& condition) {
        const bool is_open = condition.has == effects::untold;
        return std::string{condition.key} + " " +
               (is_open ? condition.wanted + ", if the body says so" : condition.has);
    });
}

std::string way_of(const effects::Effect& effect) {
    if (effect.decides()) return "one event at a time: decide is asked for each";
    if (effect.set_based() != nullptr) return "many events at once";
    return effect.code().empty() ? "one event at a time: its own sql" : "one event at a time: its handler";
}

ExplainedEffect explained(const effects::Effect& effect, const Like& like) {
    const auto conditions = effect.when().conditions(like.headers, like.said());
    return {.name = effect.name(),
            .matches = effect.when().matches(like.headers, like.said()),
            .why = why(conditions),
            .way = way_of(effect)};
}

bool is_prefix(const std::string& type) {
    return type.ends_with('*');
}

}  // namespace

std::string doubt_about(const std::string& type, const webhook::SourceSet& sources,
                        const effects::EffectSet& effects) {
    std::vector<std::string> known;
    for (const auto& source : sources) {
        for (const EventSample& sample : samples_of(source->recipe)) known.push_back(sample.type);
    }
    for (const auto& effect : effects.all()) {
        for (const std::string& one : effect->when().types()) {
            if (is_prefix(one) && type.starts_with(one.substr(0, one.size() - 1))) return {};
            if (!is_prefix(one)) known.push_back(one);
        }
    }
    std::ranges::sort(known);
    known.erase(std::ranges::unique(known).begin(), known.end());
    if (std::ranges::contains(known, type)) return {};
    return "No sample and no effect has the type \"" + type + "\", so it may be misspelt; " +
           config::hint(type, known, "they have: ");
}

std::vector<Explanation> explain(const std::string& type, const webhook::SourceSet& sources,
                                 const effects::EffectSet& effects, WallTime now) {
    const auto sends = [&type](const auto& source) { return has_sample(source->recipe, type); };
    const bool any_sends = std::ranges::any_of(sources, sends);
    std::vector<Explanation> all;
    for (const auto& source : sources) {
        if (any_sends && !sends(source)) continue;
        const Like like = any_sends ? like_its_sample(*source, type, sources, now) : like_any(*source, type);
        Explanation& its = all.emplace_back(source->name, like.words);
        for (const auto& effect : effects.all()) its.effects.push_back(explained(*effect, like));
    }
    return all;
}

}  // namespace sluice::ctl
