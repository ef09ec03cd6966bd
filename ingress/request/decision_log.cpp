#include "ingress/request/decision_log.hpp"

#include <utility>

namespace sluice::ingress {
namespace {

bool is_success(Outcome outcome) {
    return outcome == Outcome::accepted || outcome == Outcome::duplicate || outcome == Outcome::quarantined;
}

}  // namespace

DecisionCounters::DecisionCounters(Metrics& all) : metrics{all} {
    for (const gate::RefusalRow& row : gate::all_refusals())
        gate_refusals[row.name] =
            &metrics.counter("sluice_ingress_gate_refused_total", "Requests that the gate refused",
                             {{"reason", std::string{row.name}}});
}

void DecisionLog::made(Outcome outcome, const Facts& facts) {
    const auto number = std::to_underlying(outcome);
    facts.route->decisions[number]->Increment();
    facts.route->answered[number]->Increment();
    const std::string client = facts.client.text();
    const std::string_view event =
        facts.event != nullptr ? facts.event->headers.event_id : std::string_view{};
    const std::string_view type = facts.event != nullptr ? facts.event->headers.type : std::string_view{};
    const std::initializer_list<LogField> fields{
        {"source", std::string_view{facts.route->source->name}},
        {"event", event},
        {"type", type},
        {"reason", facts.reason},
        {facts.unread.empty() ? std::string_view{} : "detail", facts.unread},
        {"claim", facts.claim},
        {"client", std::string_view{client}},
        {"ms", std::chrono::duration_cast<std::chrono::microseconds>(facts.took)},
        {"trace", facts.trace}};
    if (outcome == Outcome::accepted || outcome == Outcome::duplicate)
        log_.write_event(name_of(outcome), facts.trace, fields);
    else if (outcome == Outcome::refused_signature || outcome == Outcome::limited)
        log_.write_capped(name_of(outcome), fields);
    else if (is_success(outcome))
        log_.write_routine(name_of(outcome), fields);
    else
        log_.warn(name_of(outcome), fields);
}

void DecisionLog::refused_at_gate(gate::Refusal refusal, const network::Address& client,
                                  const webhook::Source* source) {
    const gate::RefusalRow& row = gate::row_of(refusal);
    counters_.gate_refusals.at(row.name)->Increment();
    const std::string text = client.text();
    // Any client can cause these: they must not push other lines out of the queue.
    log_.write_capped("gate_refused",
                      {{"reason", row.name},
                       {"status", std::int64_t{row.status}},
                       {source == nullptr ? std::string_view{} : "source",
                        source == nullptr ? std::string_view{} : std::string_view{source->name}},
                       {"client", std::string_view{text}}});
}

void DecisionLog::answered_challenge(const webhook::Source& source, const network::Address& client) {
    counters_.metrics
        .counter("sluice_ingress_challenge_answered_total",
                 "Requests in which a provider checks that the address is yours", {{"source", source.name}})
        .Increment();
    const std::string text = client.text();
    log_.write_capped("challenge_answered",
                      {{"source", std::string_view{source.name}}, {"client", std::string_view{text}}});
}

void DecisionLog::received(const webhook::Source& source, std::string_view type) {
    const auto known = received_.find(std::pair{std::string_view{source.provider}, type});
    if (known != received_.end()) return known->second->Increment();
    const std::string admitted{counters_.types.admit(type)};
    Counter& counter =
        counters_.metrics.counter("webhook_received_total", "Authentic events, including duplicates",
                                  {{"provider", source.provider}, {"type", admitted}});
    if (admitted == type) received_.emplace(std::pair{source.provider, admitted}, &counter);
    counter.Increment();
}

}  // namespace sluice::ingress
