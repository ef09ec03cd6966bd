#include "consumer/callbacks/anomaly_watch.hpp"

#include <algorithm>
#include <format>
#include <map>
#include <set>
#include <utility>

#include "common/crypto/encoding.hpp"
#include "common/redact/payload.hpp"
#include "common/time_text.hpp"
#include "consumer/store/outbox/outbox.hpp"

namespace sluice::consumer {
namespace {

using Entries = std::span<const store::CallbackEntry>;

constexpr std::chrono::hours bursts_before{1};
constexpr std::chrono::days payments_before{8};
constexpr std::chrono::hours contents_before{24};
constexpr int fewest_failing_sources = 3;

Counter& counter_of(Metrics& metrics, Anomaly anomaly) {
    return metrics.counter("sluice_consumer_anomalies_total",
                           "Anomalies of callbacks that were found, by kind",
                           {{"kind", std::string{name_of(anomaly)}}});
}

/// From `before` the first of these callbacks to `after` the last.
store::Span around(Entries entries, std::chrono::seconds before, std::chrono::seconds after) {
    const auto [first, last] = std::ranges::minmax(entries, {}, &store::CallbackEntry::received_at);
    return {first.received_at - before, last.received_at + after};
}

/// A destination knows it by what, whom and since when.
Result<void> put_message(store::Connection& connection, const std::string& destination,
                         const AnomalyWatch::Found& found) {
    const FoundAnomaly& anomaly = found.anomaly;
    const std::string began = to_rfc3339(anomaly.began);
    crypto::PartsDigest key;
    key.begin();
    for (const std::string_view part : {std::string_view{"anomaly"}, name_of(anomaly.what),
                                        std::string_view{found.subject}, std::string_view{began}})
        key.part(part);
    const redact::Json body{{"anomaly", name_of(anomaly.what)},
                            {"subject", found.subject},
                            {"source", found.source},
                            {"began_at", began},
                            {"last_at", to_rfc3339(anomaly.last)},
                            {"callbacks", anomaly.callbacks},
                            {"detail", anomaly.detail}};
    const std::string text = body.dump(-1, ' ', false, redact::Json::error_handler_t::replace);
    return store::insert_message(connection, {.destination = destination,
                                              .key = found.subject,
                                              .idempotency_key = key.finish(),
                                              .body = text,
                                              .effect = "anomaly",
                                              .source = found.source,
                                              .day = day_of(anomaly.began)});
}

std::vector<SeenCallback> seen_in(const std::vector<store::ObjectCallback>& callbacks) {
    std::vector<SeenCallback> seen;
    for (const store::ObjectCallback& one : callbacks)
        seen.push_back({.at = one.received_at,
                        .is_accepted = one.is_accepted,
                        .event_id = one.event_id,
                        .occurred_at = one.occurred_at,
                        .payment = one.payment,
                        .amount = one.amount,
                        .currency = one.currency});
    return seen;
}

}  // namespace

AnomalyWatch::AnomalyWatch(const config::CallbackSettings& settings, Log& log, Metrics& metrics)
    : settings_{settings}, log_{log} {
    for (std::size_t i = 0; i < anomaly_count; ++i)
        counters_[i] = &counter_of(metrics, static_cast<Anomaly>(i));
}

void AnomalyWatch::export_counters(Metrics& metrics) {
    for (std::size_t i = 0; i < anomaly_count; ++i) (void)counter_of(metrics, static_cast<Anomaly>(i));
}

Result<std::vector<AnomalyWatch::Found>> AnomalyWatch::look(store::Connection& connection,
                                                            Entries entries) const {
    std::vector<Found> found;
    if (entries.empty()) return found;
    if (auto done = look_at_objects(connection, entries, found); !done) return Failure{done.error()};
    if (auto done = look_at_contents(connection, entries, found); !done) return Failure{done.error()};
    if (auto done = look_at_clients(connection, entries, found); !done) return Failure{done.error()};
    return found;
}

Result<void> AnomalyWatch::look_at_objects(store::Connection& connection, Entries entries,
                                           std::vector<Found>& found) const {
    std::map<std::int64_t, const store::CallbackEntry*> objects;
    for (const store::CallbackEntry& entry : entries)
        if (entry.event && entry.verdict != "polled")
            objects[store::object_hash(entry.event->object_key)] = &entry;
    std::vector<std::int64_t> hashes;
    for (const auto& [hash, entry] : objects) hashes.push_back(hash);
    const store::Span bursts = around(entries, bursts_before, bursts_before);
    const store::Span payments = around(entries, payments_before, payments_before);
    const auto strange =
        store::strange_objects(connection, hashes, bursts, payments,
                               std::min(settings_.most_in_a_minute, settings_.most_in_an_hour));
    if (!strange) return Failure{strange.error()};
    for (const std::int64_t hash : *strange) {
        const auto callbacks = store::callbacks_of_object(connection, hash, payments);
        if (!callbacks) return Failure{callbacks.error()};
        const store::CallbackEntry& entry = *objects.at(hash);
        for (FoundAnomaly& one : anomalies_of(seen_in(*callbacks), settings_))
            found.push_back(
                {std::move(one), std::string{entry.event->object_key}, std::string{entry.source}});
    }
    return {};
}

Result<void> AnomalyWatch::look_at_contents(store::Connection& connection, Entries entries,
                                            std::vector<Found>& found) const {
    std::map<crypto::Digest, const store::CallbackEntry*> contents;
    for (const store::CallbackEntry& entry : entries)
        if (entry.event && entry.verdict == "accepted") contents[entry.event->content_digest] = &entry;
    std::vector<crypto::Digest> digests;
    for (const auto& [digest, entry] : contents) digests.push_back(digest);
    const auto shared = store::contents_of_several_events(connection, digests,
                                                          around(entries, contents_before, contents_before));
    if (!shared) return Failure{shared.error()};
    for (const store::Shared& one : *shared) {
        crypto::Digest digest;
        std::ranges::copy(one.subject, digest.begin());
        const auto its = contents.find(digest);
        found.push_back(
            {{.what = Anomaly::same_body,
              .began = one.first,
              .last = one.last,
              .callbacks = one.callbacks,
              .detail = std::format("{} events have one content: {}", one.different, one.examples)},
             crypto::to_hex(digest),
             std::string{its == contents.end() ? std::string_view{} : its->second->source}});
    }
    return {};
}

Result<void> AnomalyWatch::look_at_clients(store::Connection& connection, Entries entries,
                                           std::vector<Found>& found) const {
    std::set<std::string_view> clients;
    for (const store::CallbackEntry& entry : entries)
        if (entry.verdict == "refused_signature" && !entry.client.empty()) clients.insert(entry.client);
    const std::vector<std::string_view> asked{clients.begin(), clients.end()};
    const auto shared = store::clients_that_fail(
        connection, asked, around(entries, bursts_before, bursts_before), fewest_failing_sources);
    if (!shared) return Failure{shared.error()};
    for (const store::Shared& one : *shared)
        found.push_back(
            {{.what = Anomaly::failing_client,
              .began = one.first,
              .last = one.last,
              .callbacks = one.callbacks,
              .detail = std::format("wrong signatures at {} sources: {}", one.different, one.examples)},
             one.subject,
             {}});
    return {};
}

Result<std::vector<const AnomalyWatch::Found*>> AnomalyWatch::write(store::Connection& connection,
                                                                    const std::vector<Found>& found) const {
    std::vector<const Found*> fresh;
    for (const Found& one : found) {
        const auto is_new = store::note_anomaly(connection,
                                                {.kind = name_of(one.anomaly.what),
                                                 .subject = one.subject,
                                                 .source = one.source,
                                                 .began = one.anomaly.began,
                                                 .last = one.anomaly.last,
                                                 .callbacks = one.anomaly.callbacks,
                                                 .detail = one.anomaly.detail},
                                                lasts(one.anomaly.what));
        if (!is_new) return Failure{is_new.error()};
        if (!*is_new) continue;
        fresh.push_back(&one);
        if (settings_.tell.empty()) continue;
        if (auto told = put_message(connection, settings_.tell, one); !told) return Failure{told.error()};
    }
    return fresh;
}

void AnomalyWatch::tell(const std::vector<const Found*>& found) {
    for (const Found* one : found) {
        counters_[std::to_underlying(one->anomaly.what)]->Increment();
        log_.warn("anomaly", {{"kind", name_of(one->anomaly.what)},
                              {"subject", std::string_view{one->subject}},
                              {"source", std::string_view{one->source}},
                              {"callbacks", one->anomaly.callbacks},
                              {"reason", std::string_view{one->anomaly.detail}}});
    }
}

}  // namespace sluice::consumer
