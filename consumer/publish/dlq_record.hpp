#pragma once

#include <string>
#include <string_view>

#include "common/record/header_names.hpp"
#include "consumer/publish/headers.hpp"
#include "consumer/publish/publisher.hpp"

namespace sluice::consumer {

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
