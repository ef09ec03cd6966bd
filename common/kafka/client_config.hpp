#pragma once

#include <expected>
#include <string>

#include "common/config/settings/connections.hpp"
#include "common/kafka/handle.hpp"
#include "common/telemetry/log.hpp"

namespace sluice::kafka {

/// A configuration with brokers, TLS, SASL and the user's `options` set. The caller then sets what its
/// protocol fixes with `set`. Throws config::Refused naming the property and librdkafka's reason.
[[nodiscard]] Conf client_config(const config::KafkaSettings& settings, const std::string& client_id);

/// The client, which owns `conf` from then on, or librdkafka's reason. It renews its SASL login by itself
/// from `settings`, which outlive it.
[[nodiscard]] std::expected<Client, std::string> make_client(rd_kafka_type_t type, Conf conf,
                                                             const config::KafkaSettings& settings);

/// Throws config::Refused.
void set(rd_kafka_conf_t& conf, const std::string& property, const std::string& value);

/// Writes librdkafka's log lines to ours (rd_kafka_conf_set_log_cb). `log` outlives the client; it is
/// passed as the conf's opaque only where the caller has no other use for the opaque, so callers that
/// set their own opaque pass a function that finds the Log in it.
using LogOf = Log& (*)(void* opaque);
void send_logs_to(rd_kafka_conf_t& conf, LogOf log_of);

}  // namespace sluice::kafka
