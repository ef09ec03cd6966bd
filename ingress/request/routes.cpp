#include "ingress/request/routes.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "common/webhook/recipe/program.hpp"
#include "common/webhook/signature/keys_end.hpp"

namespace sluice::ingress {
namespace {

Counter* decision_counter(Metrics& metrics, const webhook::Source& source, Outcome outcome) {
    return &metrics.counter("sluice_ingress_decisions_total",
                            "Requests for which a source was found, by what happened to them",
                            {{"decision", std::string{name_of(outcome)}}, {"source", source.name}});
}

Counter* answer_counter(Metrics& metrics, const webhook::Source& source, Outcome outcome) {
    return &metrics.counter("webhook_answer_total", "Answers to providers",
                            {{"provider", source.provider}, {"outcome", std::string{name_of(outcome)}}});
}

Counter* claim_counter(Metrics& metrics, const webhook::Source& source, dedup::Claim claim) {
    return &metrics.counter("sluice_ingress_claims_total", "Authentic events, by what Redis knew about them",
                            {{"result", std::string{name_of(claim)}}, {"source", source.name}});
}

Counter* key_counter(Metrics& metrics, const webhook::Source& source, const webhook::Key& key) {
    return &metrics.counter("sluice_ingress_keys_total", "Authentic requests by the key that signed them",
                            {{"source", source.name}, {"key", key.id}});
}

// More than a network and a queue at the provider explain. Far below what recipes tolerate.
constexpr std::chrono::seconds apart_ahead{10};
constexpr std::chrono::seconds apart_behind{60};

Counter* clock_counter(Metrics& metrics, const webhook::Source& source, const char* side) {
    return &metrics.counter(
        "sluice_ingress_clock_apart_total",
        "Authentic requests signed more than 10 s ahead of our clock or more than 60 s behind it",
        {{"source", source.name}, {"side", side}});
}

Counter* uncounted_counter(Metrics& metrics, const webhook::Source& source) {
    return &metrics.counter("sluice_ingress_limits_uncounted_total",
                            "Requests that were taken without being counted under limits.source or "
                            "limits.account, since Redis could not count them",
                            {{"source", source.name}});
}

Counter* other_id_counter(Metrics& metrics, const webhook::Source& source) {
    return &metrics.counter("sluice_ingress_same_body_other_id_total",
                            "Authentic deliveries of an event that this process last saw under another "
                            "delivery id of the provider",
                            {{"source", source.name}});
}

/// After so long the slowest of the limits takes one more.
std::chrono::seconds limited_for(const webhook::Source& source, const config::ClientLimits& clients) {
    std::chrono::nanoseconds longest{std::chrono::seconds{1}};
    for (const auto& limit :
         {source.client_limit, source.source_limit, clients.requests, clients.refused, clients.strangers})
        if (limit) longest = std::max(longest, limit->every);
    if (source.account_limit) longest = std::max(longest, source.account_limit->rate.every);
    return std::chrono::ceil<std::chrono::seconds>(longest);
}

void export_keys_end(Metrics& metrics, const webhook::Source& source) {
    const auto end = webhook::keys_end(*source.program);
    metrics
        .gauge("sluice_ingress_keys_not_after_seconds",
               "When the source's last key or certificate expires, in seconds since 1970; +Inf: never",
               {{"source", source.name}})
        .Set(end ? std::chrono::duration<double>(end->time_since_epoch()).count()
                 : std::numeric_limits<double>::infinity());
}

}  // namespace

Route::Route(std::shared_ptr<const webhook::Source> of, Metrics& metrics, const config::ClientLimits& clients,
             int most_in_progress)
    : source{std::move(of)},
      metered{crypto::sha256("source " + source->name)},
      answers{source->answers, limited_for(*source, clients)},
      stages{stage_histograms(metrics, source->provider)},
      signed_ahead{clock_counter(metrics, *source, "ahead")},
      signed_behind{clock_counter(metrics, *source, "behind")},
      uncounted{uncounted_counter(metrics, *source)},
      other_ids{other_id_counter(metrics, *source)},
      most_in_progress_{most_in_progress} {
    export_keys_end(metrics, *source);
    for (std::size_t i = 0; i < outcome_count; ++i) {
        decisions[i] = decision_counter(metrics, *source, static_cast<Outcome>(i));
        answered[i] = answer_counter(metrics, *source, static_cast<Outcome>(i));
    }
    for (std::size_t i = 0; i < claim_count; ++i)
        claims[i] = claim_counter(metrics, *source, static_cast<dedup::Claim>(i));
    for (const webhook::Key& key : source->program->keys) keys.push_back(key_counter(metrics, *source, key));
}

Place Route::take_place() const noexcept {
    Place place{&in_progress_};
    const int before = in_progress_.fetch_add(1, std::memory_order_relaxed);
    if (before >= most_in_progress_) place.reset();
    return place;
}

void Route::note_signed(std::chrono::milliseconds ago) const {
    if (-ago > apart_ahead) signed_ahead->Increment();
    if (ago > apart_behind) signed_behind->Increment();
}

Routes::Routes(const webhook::SourceSet& sources, Metrics& metrics, const config::ClientLimits& clients,
               int connections) {
    const auto is_received = [](const auto& source) { return !source->polled; };
    const bool are_several = std::ranges::count_if(sources, is_received) > 1;
    const int share = are_several ? std::max(connections / 2, 1) : connections;
    for (const auto& source : sources)
        if (is_received(source))
            by_path_.emplace(source->path, std::make_unique<Route>(source, metrics, clients, share));
}

const Route* Routes::find(std::string_view path) const {
    const auto found = by_path_.find(path);
    return found == by_path_.end() ? nullptr : found->second.get();
}

}  // namespace sluice::ingress
