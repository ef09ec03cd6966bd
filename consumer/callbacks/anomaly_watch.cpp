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

constexpr std::chrono::hours bursts_within{1};

Counter& counter_of(Metrics& metrics, Anomaly anomaly) {
    return metrics.counter("sluice_consumer_anomalies_total",
                           "Anomalies of callbacks that were found, by kind",
                           {{"kind", std::string{name_of(anomaly)}}});
}

/// The time of these callbacks, and so much on both sides. What it covers beyond that is for the rules.
store::Span around(Entries entries, std::chrono::seconds margin) {
    const auto [first, last] = std::ranges::minmax(entries, {}, &store::CallbackEntry::received_at);
    return {first.received_at - margin, last.received_at + margin};
}

using Objects = std::map<std::int64_t, const store::CallbackEntry*>;

/// By their hashes, with the last callback of each that `is_one`.
template <class IsOne>
Objects objects_of(Entries entries, IsOne is_one) {
    Objects objects;
    for (const store::CallbackEntry& entry : entries)
        if (entry.event && is_one(entry)) objects[store::object_hash(entry.event->object_key)] = &entry;
    return objects;
}

std::vector<std::int64_t> hashes_of(const Objects& objects) {
    std::vector<std::int64_t> hashes;
    for (const auto& [hash, entry] : objects) hashes.push_back(hash);
    return hashes;
}

std::vector<SeenPayment> seen_in(const std::vector<store::ObjectPayment>& payments) {
    std::vector<SeenPayment> seen;
    for (const store::ObjectPayment& one : payments)
        seen.push_back({.at = one.received_at,
                        .event_id = one.event_id,
                        .occurred_at = one.occurred_at,
                        .payment = one.payment,
                        .amount = one.amount,
                        .currency = one.currency});
    return seen;
}

std::vector<Named> named_in(const std::vector<store::Occurrence>& occurrences) {
    std::vector<Named> named;
    for (const store::Occurrence& one : occurrences) named.push_back({one.at, one.name});
    return named;
}

void add(std::vector<AnomalyWatch::Found>& found, std::vector<FoundAnomaly> anomalies,
         std::string_view subject, std::string_view source) {
    for (FoundAnomaly& one : anomalies)
        found.push_back({std::move(one), std::string{subject}, std::string{source}});
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
    for (const auto look_at : {&AnomalyWatch::look_at_bursts, &AnomalyWatch::look_at_payments,
                               &AnomalyWatch::look_at_bodies, &AnomalyWatch::look_at_clients})
        if (auto done = (this->*look_at)(connection, entries, found); !done) return Failure{done.error()};
    return found;
}

Result<void> AnomalyWatch::look_at_bursts(store::Connection& connection, Entries entries,
                                          std::vector<Found>& found) const {
    const Objects objects =
        objects_of(entries, [](const store::CallbackEntry& entry) { return entry.verdict != "polled"; });
    const store::Span span = around(entries, bursts_within);
    const auto busy = store::busy_objects(connection, hashes_of(objects), span,
                                          std::min(settings_.most_in_a_minute, settings_.most_in_an_hour));
    if (!busy) return Failure{busy.error()};
    for (const std::int64_t hash : *busy) {
        const auto callbacks = store::callbacks_of_object(connection, hash, span);
        if (!callbacks) return Failure{callbacks.error()};
        const store::CallbackEntry& entry = *objects.at(hash);
        add(found, bursts_in(*callbacks, settings_), entry.event->object_key, entry.source);
    }
    return {};
}

Result<void> AnomalyWatch::look_at_payments(store::Connection& connection, Entries entries,
                                            std::vector<Found>& found) const {
    const Objects objects = objects_of(entries, [](const store::CallbackEntry& entry) {
        return entry.event->payment == "paid" || entry.event->payment == "closed";
    });
    const store::Span span = around(entries, payments_within);
    const auto several = store::objects_with_payments(connection, hashes_of(objects), span);
    if (!several) return Failure{several.error()};
    for (const std::int64_t hash : *several) {
        const auto payments = store::payments_of_object(connection, hash, span);
        if (!payments) return Failure{payments.error()};
        const store::CallbackEntry& entry = *objects.at(hash);
        add(found, strange_payments(seen_in(*payments)), entry.event->object_key, entry.source);
    }
    return {};
}

Result<void> AnomalyWatch::look_at_bodies(store::Connection& connection, Entries entries,
                                          std::vector<Found>& found) const {
    std::map<crypto::Digest, const store::CallbackEntry*> bodies;
    for (const store::CallbackEntry& entry : entries)
        if (entry.event && entry.event->body_hash) bodies[*entry.event->body_hash] = &entry;
    std::vector<crypto::Digest> hashes;
    for (const auto& [hash, entry] : bodies) hashes.push_back(hash);
    const store::Span span = around(entries, bodies_within);
    const auto repeated = store::repeated_bodies(connection, hashes, span);
    if (!repeated) return Failure{repeated.error()};
    for (const crypto::Digest& hash : *repeated) {
        const auto events = store::events_with_body(connection, hash, span);
        if (!events) return Failure{events.error()};
        add(found, one_body_of_several(named_in(*events)), crypto::to_hex(hash), bodies.at(hash)->source);
    }
    return {};
}

Result<void> AnomalyWatch::look_at_clients(store::Connection& connection, Entries entries,
                                           std::vector<Found>& found) const {
    std::set<std::string_view> clients;
    for (const store::CallbackEntry& entry : entries)
        if (entry.verdict == "refused_signature" && !entry.client.empty()) clients.insert(entry.client);
    const std::vector<std::string_view> asked{clients.begin(), clients.end()};
    const store::Span span = around(entries, failures_within);
    const auto failing = store::failing_clients(connection, asked, span, fewest_failing_sources);
    if (!failing) return Failure{failing.error()};
    for (const std::string& client : *failing) {
        const auto failures = store::failures_of_client(connection, client, span);
        if (!failures) return Failure{failures.error()};
        add(found, failures_at_several(named_in(*failures)), client, {});
    }
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
        // Anybody could have many messages sent with wrong signatures from many addresses.
        if (settings_.tell.empty() || one.anomaly.what == Anomaly::failing_client) continue;
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
