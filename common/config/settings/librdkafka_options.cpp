#include "common/config/settings/librdkafka_options.hpp"

#include <array>

#include "common/config/scalar_text.hpp"

namespace sluice::config {
namespace {

struct Fixed {
    std::string_view property;  // a last '*' stands for any ending
    std::string_view reason;
};

constexpr std::string_view durable = "an answer of success promises that all in-sync replicas have the event";
constexpr std::string_view ordered = "events of one object must stay in order when the producer retries";
constexpr std::string_view in_time = "a message expires at the deadline of the request that waits for it";
constexpr std::string_view by_depth = "batches form while earlier ones are in flight, not by a timer";
constexpr std::string_view by_topic = "it follows the topic's max.message.bytes";
constexpr std::string_view keyed = "one object's events must reach one partition from every program";
constexpr std::string_view prefix = "only offsets whose transactions are committed are stored";
constexpr std::string_view no_gap = "a missing offset is reported, never skipped";
constexpr std::string_view joined = "the consumer has its own protocol to hand over partitions";
constexpr std::string_view verified = "peers are always verified";
constexpr std::string_view by_reference = "secrets are given by reference in kafka.tls and kafka.sasl";
constexpr std::string_view in_tls = "kafka.tls sets it";
constexpr std::string_view in_sasl = "kafka.sasl sets it";
constexpr std::string_view no_transactions = "MySQL's transaction makes an event count once, not Kafka's";
constexpr std::string_view bounded = "each program bounds its own memory";
constexpr std::string_view own_choice = "the programs depend on the value that they set";
constexpr std::string_view by_program = "the programs depend on how they listen to librdkafka";

// The one table of what `kafka.options` may not touch (names and aliases of librdkafka 2.8).
constexpr auto fixed = std::to_array<Fixed>({
    {"acks", durable},
    {"request.required.acks", durable},
    {"delivery.report.only.error", durable},
    {"test.mock.*", durable},

    {"enable.idempotence", ordered},
    {"enable.gapless.guarantee", ordered},
    {"max.in.flight", ordered},
    {"max.in.flight.requests.per.connection", ordered},
    {"queuing.strategy", ordered},
    {"msg_order_cmp", ordered},

    {"message.send.max.retries", in_time},
    {"retries", in_time},
    {"message.timeout.ms", in_time},
    {"delivery.timeout.ms", in_time},
    {"linger.ms", by_depth},
    {"queue.buffering.max.ms", by_depth},
    {"batch.size", by_topic},
    {"message.max.bytes", by_topic},
    {"queue.buffering.max.kbytes", bounded},
    {"queued.max.messages.kbytes", bounded},
    {"socket.nagle.disable", own_choice},
    {"reconnect.backoff.ms", own_choice},
    {"reconnect.backoff.max.ms", own_choice},
    {"auto.commit.interval.ms", own_choice},
    {"partitioner", keyed},
    {"partitioner_cb", keyed},
    {"transactional.id", no_transactions},
    {"transaction.timeout.ms", no_transactions},

    {"enable.auto.offset.store", prefix},
    {"enable.auto.commit", prefix},
    {"auto.commit.enable", prefix},
    {"offset.store.method", prefix},
    {"offset.store.path", prefix},
    {"offset.store.sync.interval.ms", prefix},
    {"auto.offset.reset", no_gap},
    {"isolation.level", no_gap},

    {"group.id", "kafka.group sets it"},
    {"group.instance.id", joined},
    {"group.protocol", joined},
    {"group.protocol.type", joined},
    {"group.remote.assignor", joined},
    {"partition.assignment.strategy", joined},
    {"enable.partition.eof", by_program},
    {"enabled_events", by_program},
    {"log.queue", by_program},
    {"internal.termination.signal", by_program},
    {"interceptors", by_program},
    {"opaque", by_program},
    {"default_topic_conf", by_program},

    {"bootstrap.servers", "kafka.brokers sets it"},
    {"metadata.broker.list", "kafka.brokers sets it"},
    {"client.id", "each program sets its own name"},
    {"allow.auto.create.topics", "a missing topic is reported, never created with a broker's defaults"},

    {"security.protocol", "kafka.tls and kafka.sasl set it"},
    {"enable.ssl.certificate.verification", verified},
    {"ssl.endpoint.identification.algorithm", verified},
    {"ssl.certificate.verify_cb", verified},
    {"ssl.ca.*", in_tls},
    {"ssl_ca", in_tls},
    {"ssl.certificate.*", in_tls},
    {"ssl_certificate", in_tls},
    {"ssl.key.location", in_tls},
    {"ssl.key.password", by_reference},
    {"ssl.key.pem", by_reference},
    {"ssl_key", by_reference},
    {"ssl.keystore.*", by_reference},
    {"ssl.engine.*", in_tls},
    {"ssl_engine_callback_data", in_tls},
    {"sasl.*", in_sasl},
    {"enable.sasl.oauthbearer.unsecure.jwt", in_sasl},
});

bool names(std::string_view pattern, std::string_view property) {
    if (!pattern.ends_with('*')) return pattern == property;
    pattern.remove_suffix(1);
    return property.starts_with(pattern);
}

/// librdkafka 2.8 masks passwords when it logs its configuration, but not sasl.oauthbearer.client.secret.
bool logs_secrets(std::string_view debug) {
    return debug.contains("conf") || debug.contains("all");
}

}  // namespace

std::string_view why_fixed(std::string_view property) {
    for (const auto& entry : fixed) {
        if (names(entry.property, property)) return entry.reason;
    }
    return {};
}

std::map<std::string, std::string> read_librdkafka_options(Section& section, std::string_view key) {
    std::map<std::string, std::string> options;
    const auto found = section.value(key);
    if (!found) return options;
    if (!found->is_mapping()) {
        found->problem(section.path() + "." + std::string{key} +
                       " must be a mapping of librdkafka properties");
    }
    for (const auto& [name, value] : found->entries()) {
        if (const auto reason = why_fixed(name.scalar()); !reason.empty()) {
            name.problem("librdkafka's " + in_quotes(name.scalar()) +
                         " cannot be set: " + std::string{reason});
        } else if (!value.is_scalar()) {
            value.problem("librdkafka's " + in_quotes(name.scalar()) + " must have a plain value");
        } else if (name.scalar() == "debug" && logs_secrets(value.scalar())) {
            value.problem(
                "librdkafka's \"debug\" cannot have conf or all: it would log the client's secret of "
                "OAUTHBEARER. Name the contexts that you need, such as broker,security,protocol");
        } else {
            options.emplace(name.scalar(), value.scalar());
        }
    }
    return options;
}

}  // namespace sluice::config
