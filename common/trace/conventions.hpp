#pragma once

#include <string_view>

/// Every name that our spans carry. OpenTelemetry's are those of semantic conventions 1.44.0, whose messaging
/// and CloudEvents parts are still "Development": if a newer version renames them, change them here.
namespace sluice::trace {

inline constexpr std::string_view schema_url = "https://opentelemetry.io/schemas/1.44.0";

namespace key {

// resource
inline constexpr std::string_view service_name = "service.name";
inline constexpr std::string_view service_version = "service.version";
inline constexpr std::string_view service_instance = "service.instance.id";

// any span
inline constexpr std::string_view error_type = "error.type";

// the request
inline constexpr std::string_view http_method = "http.request.method";
inline constexpr std::string_view http_route = "http.route";
inline constexpr std::string_view http_status = "http.response.status_code";
inline constexpr std::string_view url_scheme = "url.scheme";

// the event
inline constexpr std::string_view event_id = "cloudevents.event_id";
inline constexpr std::string_view event_type = "cloudevents.event_type";

// Redis and MySQL
inline constexpr std::string_view db_system = "db.system.name";
inline constexpr std::string_view db_operation = "db.operation.name";

// Kafka
inline constexpr std::string_view messaging_system = "messaging.system";
inline constexpr std::string_view messaging_operation = "messaging.operation.name";
inline constexpr std::string_view messaging_operation_type = "messaging.operation.type";
inline constexpr std::string_view messaging_destination = "messaging.destination.name";
inline constexpr std::string_view messaging_partition = "messaging.destination.partition.id";
inline constexpr std::string_view messaging_group = "messaging.consumer.group.name";
inline constexpr std::string_view messaging_offset = "messaging.kafka.offset";
inline constexpr std::string_view messaging_batch = "messaging.batch.message_count";

// ours
inline constexpr std::string_view source = "sluice.source";
inline constexpr std::string_view outcome = "sluice.outcome";  // of a request, as in log and metrics
inline constexpr std::string_view reason = "sluice.reason";
inline constexpr std::string_view claim = "sluice.claim";
inline constexpr std::string_view disposition = "sluice.disposition";  // of an event, as in log and metrics
inline constexpr std::string_view attempts = "sluice.attempts";
inline constexpr std::string_view action = "sluice.action";  // an operator's
inline constexpr std::string_view answer = "sluice.answer";  // to it
inline constexpr std::string_view dead_letter = "sluice.dead_letter";

}  // namespace key
}  // namespace sluice::trace
