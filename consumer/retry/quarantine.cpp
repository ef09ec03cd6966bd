#include "consumer/retry/quarantine.hpp"

#include <utility>

#include "common/record/header_bytes.hpp"
#include "consumer/apply/attempt.hpp"
#include "consumer/apply/letters.hpp"
#include "consumer/store/open_transaction.hpp"

namespace sluice::consumer {

Quarantine::Quarantine(const LaneTools& tools, std::string topic_id, Log& log, Metrics& metrics)
    : tools_{tools}, topic_id_{std::move(topic_id)}, log_{log}, metrics_{metrics} {}

Visited Quarantine::take(store::Connection& connection, const Record& record, std::string& trouble) {
    const auto request = kept_request_from(record.headers);
    if (!request) return left_alone(record, "foreign");
    if (source_of(*request, tools_.rules.sources) == nullptr) return left_alone(record, "no_source");
    const SteadyTime began = tools_.clock.steady();
    auto entry = open(connection, record, *request, request->reason);
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
        tools_.decisions.spans().entry_opened(record, **entry, request->reason, began);
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
        store::open_letter(connection,
                           {.kind = store::LetterKind::unreadable,
                            .place = std::nullopt,
                            .object_key = record.key,
                            .source = request.source,
                            .type = {},
                            .event_id = {},
                            .inbox = std::nullopt,
                            .content_digest = std::nullopt,
                            .error_class = store::name_of(store::LetterKind::unreadable),
                            .error_text = why,
                            .attempts = 1,
                            .first_failed_at = record.appended_at,
                            .topic = tools_.rules.kafka.quarantine_topic,
                            .partition = record.at.partition,
                            .offset = record.at.offset,
                            .record = store::LetterRecord{.seen_once = seen_once(topic_id_, record),
                                                          .headers = headers,
                                                          .body = record.value,
                                                          .known_as = known_as(topic_id_, record.at)},
                            .owes_dlq_record = false},
                           tools_.clock.wall());
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
    const std::string why = std::string{request.reason} + "; MySQL refused its headers and body (" +
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

void Quarantine::opened(std::int64_t id, const Record& record, const KeptRequest& request) {
    counter("opened").Increment();
    tools_.decisions.given_up("unreadable");
    log_.warn("unreadable", {{"dead_letter", id},
                             {"source", request.source},
                             {"reason", request.reason},
                             {"traceparent", request.arrival.traceparent},
                             {"partition", std::int64_t{record.at.partition}},
                             {"offset", record.at.offset}});
}

Visited Quarantine::left_alone(const Record& record, std::string_view why) {
    counter(why).Increment();
    log_.info(
        "quarantine_left_alone",
        {{"reason", why}, {"partition", std::int64_t{record.at.partition}}, {"offset", record.at.offset}});
    return Visited::settled;
}

Counter& Quarantine::counter(std::string_view what) {
    return metrics_.counter("sluice_consumer_quarantine_records_total",
                            "Requests that the ingress could not read, by what became of their records",
                            {{"what", std::string{what}}});
}

}  // namespace sluice::consumer
