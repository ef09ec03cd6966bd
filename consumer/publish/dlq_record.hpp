#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/clock.hpp"
#include "common/record/header_names.hpp"
#include "consumer/publish/publisher.hpp"
#include "consumer/record/record.hpp"

namespace sluice::consumer {

/// What a dead letter says beside the record's own headers.
struct DeathNotice {
    std::string_view error_class;  ///< of dead letters a closed set, of cases a rule's word
    std::string reason;            ///< one sentence; cut at 1,024 bytes
    int attempts = 1;
    WallTime first_failed_at{};
};

struct Origin {
    std::string topic;
    std::string group;
};

/// The headers of a DLQ record: all of the record's own, untouched and in order, then the notice
/// as three sets: Spring's `kafka_dlt-*` in Spring's binary encodings (big-endian integers), Kafka
/// Connect's `__connect.errors.*` as text, and ours. Headers of these three sets that the record
/// carries already are replaced, never doubled. Values are bytes.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> dead_letter_headers(const Record& record,
                                                                                   const Origin& origin,
                                                                                   const DeathNotice& notice);

/// Where this consumer's dead letters come from and go to.
struct DeadLetterRoute {
    Origin origin;
    std::string topic;
};

/// The DLQ record: the record's key and value untouched, keyed as the original, its headers and the notice.
/// Lives no longer than `record` and `route`.
[[nodiscard]] inline Outgoing dlq_record(const Record& record, const DeadLetterRoute& route,
                                         const DeathNotice& notice) {
    return {.topic = route.topic,
            .key = record.key,
            .value = record.value,
            .headers = dead_letter_headers(record, route.origin, notice)};
}

/// The same for a topic that takes no record so large: its headers, and one more that says how many bytes are
/// left out. The entry in MySQL keeps them. Lives no longer than `dead_letter`.
[[nodiscard]] inline Outgoing without_body(const Outgoing& dead_letter) {
    Outgoing headers = dead_letter;
    headers.value = std::string_view{""};  // not null: that would be a deletion where the topic is compacted
    headers.headers.emplace_back(record::header::body_left_out,
                                 std::to_string(dead_letter.value.value_or("").size()));
    return headers;
}

}  // namespace sluice::consumer
