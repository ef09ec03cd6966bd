#pragma once

#include "consumer/dead_letter/headers.hpp"
#include "consumer/publish/publisher.hpp"

namespace sluice::consumer {

/// Where this consumer's dead letters come from and go to.
struct DeadLetterRoute {
    Origin origin;
    std::string topic;
};

/// The DLQ record: the record's key and value untouched, keyed as the original, its headers and the notice.
/// Lives no longer than `record` and `route`.
[[nodiscard]] inline Outgoing dead_letter(const Record& record, const DeadLetterRoute& route,
                                          const DeathNotice& notice) {
    return {.topic = route.topic,
            .key = record.key,
            .value = record.value,
            .headers = dead_letter_headers(record, route.origin, notice)};
}

}  // namespace sluice::consumer
