#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/clock.hpp"
#include "consumer/record/record.hpp"

namespace sluice::consumer {

/// What a dead letter says beside the record's own headers.
struct DeathNotice {
    std::string_view error_class;  ///< closed set: park data deferred exhausted unknown undecodable
                                   ///< unreadable conflict too_old
    std::string reason;            ///< one sentence, no data of the event; cut at 1,024 bytes
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

}  // namespace sluice::consumer
