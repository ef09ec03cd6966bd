#include "consumer/publish/dlq_record.hpp"

#include <concepts>

#include "common/record/header_names.hpp"
#include "common/time_text.hpp"

namespace sluice::consumer {
namespace {

constexpr std::size_t max_reason = 1024;
constexpr std::string_view spring_prefix = "kafka_dlt-";
constexpr std::string_view connect_prefix = "__connect.errors.";
constexpr std::string_view spring_attempts = "retry_topic-attempts";

bool belongs_to_a_notice(std::string_view name) {
    return name.starts_with(spring_prefix) || name.starts_with(connect_prefix) || name == spring_attempts ||
           name == record::header::attempt || name == record::header::error_class ||
           name == record::header::first_failed_at;
}

template <std::integral Number>
std::string big_endian(Number number) {
    std::string bytes(sizeof(Number), '\0');
    for (std::size_t i = 0; i < sizeof(Number); ++i) {
        bytes[sizeof(Number) - 1 - i] = static_cast<char>((number >> (8 * i)) & 0xff);
    }
    return bytes;
}

std::int64_t milliseconds(WallTime time) {
    return std::chrono::duration_cast<Milliseconds>(time.time_since_epoch()).count();
}

}  // namespace

std::vector<std::pair<std::string, std::string>> dead_letter_headers(const Record& record,
                                                                     const Origin& origin,
                                                                     const DeathNotice& notice) {
    std::vector<std::pair<std::string, std::string>> headers;
    for (const auto& own : record.headers) {
        if (!belongs_to_a_notice(own.name)) headers.emplace_back(own.name, own.value);
    }
    const std::string error = "sluice." + std::string{notice.error_class};
    const std::string reason = notice.reason.substr(0, max_reason);
    const auto spring = [&](std::string_view name, std::string value) {
        headers.emplace_back(std::string{spring_prefix}.append(name), std::move(value));
    };
    spring("original-topic", origin.topic);
    spring("original-partition", big_endian<std::int32_t>(record.at.partition));
    spring("original-offset", big_endian<std::int64_t>(record.at.offset));
    spring("original-timestamp", big_endian<std::int64_t>(milliseconds(record.appended_at)));
    spring("original-timestamp-type", "CreateTime");
    spring("original-consumer-group", origin.group);
    spring("exception-fqcn", error);
    spring("exception-message", reason);
    headers.emplace_back(spring_attempts, big_endian<std::int32_t>(notice.attempts));

    const auto connect = [&](std::string_view name, std::string value) {
        headers.emplace_back(std::string{connect_prefix}.append(name), std::move(value));
    };
    connect("topic", origin.topic);
    connect("partition", std::to_string(record.at.partition));
    connect("offset", std::to_string(record.at.offset));
    connect("connector.name", origin.group);
    connect("stage", "TASK_PUT");
    connect("exception.class.name", error);
    connect("exception.message", reason);

    headers.emplace_back(record::header::attempt, std::to_string(notice.attempts));
    headers.emplace_back(record::header::error_class, notice.error_class);
    headers.emplace_back(record::header::first_failed_at, to_rfc3339(notice.first_failed_at));
    return headers;
}

}  // namespace sluice::consumer
