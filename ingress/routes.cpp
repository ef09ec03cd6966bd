#include "ingress/routes.hpp"

#include <string>

#include "ingress/verify/program.hpp"

namespace sluice::ingress {
namespace {

Counter* decision_counter(Metrics& metrics, const verify::Source& source, Outcome outcome) {
    return &metrics.counter("sluice_ingress_decisions_total",
                            "What became of requests that a source was found for",
                            {{"decision", std::string{name_of(outcome)}}, {"source", source.name}});
}

Counter* answer_counter(Metrics& metrics, const verify::Source& source, Outcome outcome) {
    return &metrics.counter("webhook_answer_total", "Answers to providers",
                            {{"provider", source.provider}, {"outcome", std::string{name_of(outcome)}}});
}

Counter* claim_counter(Metrics& metrics, const verify::Source& source, dedup::Claim claim) {
    return &metrics.counter("sluice_ingress_claims_total", "What Redis knew of authentic events",
                            {{"result", std::string{name_of(claim)}}, {"source", source.name}});
}

Counter* key_counter(Metrics& metrics, const verify::Source& source, const verify::Key& key) {
    return &metrics.counter("sluice_ingress_keys_total", "Authentic requests by the key that signed them",
                            {{"source", source.name}, {"key", key.id}});
}

}  // namespace

Route::Route(std::shared_ptr<const verify::Source> of, Metrics& metrics)
    : source{std::move(of)}, answers{source->answers} {
    for (std::size_t i = 0; i < outcome_count; ++i) {
        decisions[i] = decision_counter(metrics, *source, static_cast<Outcome>(i));
        answered[i] = answer_counter(metrics, *source, static_cast<Outcome>(i));
    }
    for (std::size_t i = 0; i < claim_count; ++i)
        claims[i] = claim_counter(metrics, *source, static_cast<dedup::Claim>(i));
    for (const verify::Key& key : source->program->keys) keys.push_back(key_counter(metrics, *source, key));
}

Routes::Routes(const verify::SourceSet& sources, Metrics& metrics) {
    for (const auto& source : sources)
        by_path_.emplace(source->path, std::make_unique<Route>(source, metrics));
}

const Route* Routes::find(std::string_view path) const {
    const auto found = by_path_.find(path);
    return found == by_path_.end() ? nullptr : found->second.get();
}

}  // namespace sluice::ingress
