#include "consumer/quarantine/quarantine.hpp"

#include <utility>

#include "common/record/header_bytes.hpp"
#include "consumer/apply/setback.hpp"
#include "consumer/apply/unfit_record.hpp"
#include "consumer/store/driver/open_transaction.hpp"

namespace sluice::consumer {
namespace {

Counter& records_counter(Metrics& metrics, std::string_view what) {
    return metrics.counter("sluice_consumer_quarantine_records_total",
                           "Records of requests that the ingress could not read, by what happened to them",
                           {{"what", std::string{what}}});
}

}  // namespace

Quarantine::Quarantine(const LaneContext& context, std::string topic_id, Log& log, Metrics& metrics)
    : context_{context}, topic_id_{std::move(topic_id)}, log_{log}, metrics_{metrics} {}

void Quarantine::export_counters(Metrics& metrics) {
    for (const auto* what : {"opened", "known", "no_source", "refused", "foreign"})
        (void)records_counter(metrics, what);
}

Visited Quarantine::take(store::Connection& connection, const Record& record, std::string& trouble) {
    const auto request = kept_request_from(record.headers);
    if (!request) return foreign(record);
    const SteadyTime began = context_.clock.steady();
    auto entry = open(connection, record, *request, reason_of(*request));
    if (!entry && may_be_the_events(entry.error())) {
        const std::string place =
            std::to_string(record.at.partition) + '/' + std::to_string(record.at.offset);
        if (!own_failures_.is_third(place, entry.error())) return Visited::again_soon;
        entry = open_without_record(connection, record, *request, entry.error());
    }
    if (!entry) {
        const Setback setback = statement_failed(connection, entry.error());
        if (setback.database == store::ErrorClass::lost_lock) return Visited::again_soon;
        if (may_be_the_events(entry.error())) return refused(record, setback.reason);
        trouble = setback.reason;
        return Visited::trouble;
    }
    if (*entry) {
        opened(**entry, record, *request);
        context_.decisions.spans().entry_opened(record, **entry, request->reason, began);
    } else {
        counter("known").Increment();
    }
    return Visited::settled;
}

Result<std::optional<std::int64_t>> Quarantine::open(store::Connection& connection, const Record& record,
                                                     const KeptRequest& request, std::string_view why) {
    const std::string headers = record::header_bytes(record.headers).value_or("");
    auto transaction = store::OpenTransaction::begin(connection);
    if (!transaction) return Failure{transaction.error()};
    const auto entry =
        store::open_dead_letter(connection,
                                {.kind = store::DeadLetterKind::unreadable,
                                 .place = std::nullopt,
                                 .object_key = record.key,
                                 .source = request.source,
                                 .type = {},
                                 .event_id = {},
                                 .inbox = std::nullopt,
                                 .content_digest = std::nullopt,
                                 .error_class = store::name_of(store::DeadLetterKind::unreadable),
                                 .error_text = why,
                                 .attempts = 1,
                                 .first_failed_at = record.appended_at,
                                 .topic = context_.rules.kafka.quarantine_topic,
                                 .partition = record.at.partition,
                                 .offset = record.at.offset,
                                 .record = store::DeadLetterRecord{.seen_once = seen_once(topic_id_, record),
                                                                   .headers = headers,
                                                                   .body = record.value},
                                 .owes_dlq_record = false},
                                context_.clock.wall());
    if (!entry || !*entry) return entry;
    if (auto committed = transaction->commit(); !committed) return Failure{committed.error()};
    return entry;
}

Result<std::optional<std::int64_t>> Quarantine::open_without_record(store::Connection& connection,
                                                                    const Record& record,
                                                                    const KeptRequest& request,
                                                                    std::error_code refused) {
    Record bare = record;
    bare.headers.clear();
    bare.value = {};
    const std::string why = reason_of(request) + "; MySQL refused its headers and body (" +
                            refused.message() + "): Kafka has them";
    return open(connection, bare, request, why);
}

/// Nothing but Kafka has it: it is tried again, behind the others, and its offset waits.
Visited Quarantine::refused(const Record& record, std::string_view why) {
    counter("refused").Increment();
    log_.error(
        "quarantine_refused",
        {{"reason", why}, {"partition", std::int64_t{record.at.partition}}, {"offset", record.at.offset}});
    return Visited::again_soon;
}

bool Quarantine::has_source_of(const KeptRequest& request) const {
    return source_of(request, context_.rules.sources) != nullptr;
}

std::string Quarantine::reason_of(const KeptRequest& request) const {
    std::string said{request.reason};
    if (!request.detail.empty()) said.append("; ").append(request.detail);
    return has_source_of(request) ? said : "no_source; the ingress said " + said;
}

void Quarantine::opened(std::int64_t id, const Record& record, const KeptRequest& request) {
    counter(has_source_of(request) ? "opened" : "no_source").Increment();
    context_.decisions.given_up("unreadable");
    log_.warn("unreadable", {{"dead_letter", id},
                             {"source", request.source},
                             {"reason", reason_of(request)},
                             {"traceparent", request.arrival.traceparent},
                             {"partition", std::int64_t{record.at.partition}},
                             {"offset", record.at.offset}});
}

/// Not the ingress' record: nothing says that a provider sent it.
Visited Quarantine::foreign(const Record& record) {
    counter("foreign").Increment();
    log_.info("quarantine_left_alone", {{"reason", "foreign"},
                                        {"partition", std::int64_t{record.at.partition}},
                                        {"offset", record.at.offset}});
    return Visited::settled;
}

Counter& Quarantine::counter(std::string_view what) {
    return records_counter(metrics_, what);
}

}  // namespace sluice::consumer
