#include <algorithm>
#include <set>

#include "common/config/scalar_text.hpp"
#include "common/config/settings/connections.hpp"
#include "common/config/settings/host_port.hpp"
#include "common/config/settings/librdkafka_options.hpp"
#include "common/config/settings/tls_settings.hpp"

namespace sluice::config {
namespace {

constexpr std::string_view default_topic = "payments.webhooks.v1";
constexpr std::string_view default_group = "sluice";
constexpr HeaderForm default_headers = HeaderForm::packed;

std::vector<std::string> read_brokers(Section& kafka) {
    constexpr std::uint16_t kafka_port = 9092;
    auto brokers = kafka.texts("brokers");
    if (brokers.empty())
        kafka.problem_at("brokers", "kafka.brokers must name at least one broker, such as [\"kafka:9092\"]");
    for (const auto& broker : brokers) {
        if (!host_port_from_text(broker, kafka_port)) {
            kafka.problem_at("brokers", "each of kafka.brokers must be HOST:PORT, not " + in_quotes(broker));
        }
    }
    return brokers;
}

constexpr std::size_t longest_topic_name = 249;

// Kafka's own rule for topic names; the group must follow it too, since topics are named after it.
bool is_topic_name(std::string_view text) {
    return !text.empty() && text.size() <= longest_topic_name && text != "." && text != ".." &&
           std::ranges::all_of(text, [](char c) {
               return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                      c == '.' || c == '_' || c == '-';
           });
}

std::string read_name(Section& kafka, std::string_view key, std::string_view fallback) {
    auto name = kafka.text(key, fallback);
    if (!is_topic_name(name)) {
        kafka.problem_at(key, "kafka." + std::string{key} +
                                  " must have 1 to 249 characters of A-Z a-z 0-9 . _ -, not " +
                                  in_quotes(name));
    }
    return name;
}

void read_names(Section& kafka, KafkaSettings& settings) {
    settings.topic = read_name(kafka, "topic", default_topic);
    settings.group = read_name(kafka, "group", default_group);
    settings.quarantine_topic = read_name(kafka, "quarantine_topic", settings.topic + ".quarantine");
    settings.originals_topic = read_name(kafka, "originals_topic", settings.topic + ".originals");
    settings.callbacks_topic = read_name(kafka, "callbacks_topic", settings.topic + ".callbacks");
    settings.dlq_topic = read_name(kafka, "dlq_topic", settings.topic + "." + settings.group + ".dlq");
    settings.command_topic =
        read_name(kafka, "command_topic", settings.topic + "." + settings.group + ".cmd");
}

void check_retry_names(Section& kafka, const KafkaSettings& settings, const std::set<std::string>& others) {
    const std::string beginning = settings.retry_topic("");
    if (beginning.size() + longest_tier_name > longest_topic_name) {
        kafka.problem("kafka.topic and kafka.group are too long: " + in_quotes(beginning) +
                      " and a retry tier must fit into 249 characters");
    }
    for (const auto& topic : others) {
        if (topic.starts_with(beginning))
            kafka.problem("kafka: names that begin with " + in_quotes(beginning) +
                          " are reserved for retry topics");
    }
}

void check_names(Section& kafka, const KafkaSettings& settings) {
    const std::set<std::string> topics{settings.topic,           settings.quarantine_topic,
                                       settings.originals_topic, settings.callbacks_topic,
                                       settings.dlq_topic,       settings.command_topic};
    if (topics.size() != 6) {
        kafka.problem(
            "kafka.topic, kafka.quarantine_topic, kafka.originals_topic, kafka.callbacks_topic, "
            "kafka.dlq_topic and kafka.command_topic must be six different topics");
    }
    check_retry_names(kafka, settings, topics);
}

HeaderForm read_header_form(Section& kafka) {
    using enum HeaderForm;
    const auto name =
        kafka.one_of("headers", {name_of(packed), name_of(cloudevents)}, name_of(default_headers));
    return name == name_of(packed) ? packed : cloudevents;
}

/// https, or this host. Never with credentials in it: the URL is logged.
bool is_safe_endpoint(std::string_view url) {
    if (url.contains('@')) return false;
    if (url.starts_with("https://")) return true;
    constexpr std::string_view plain = "http://";
    if (!url.starts_with(plain)) return false;
    url.remove_prefix(plain.size());
    const auto host = host_port_from_text(url.substr(0, url.find_first_of("/?#")), std::uint16_t{80});
    return host && (host->host == "127.0.0.1" || host->host == "localhost");
}

void read_token(Section& sasl, KafkaSettings& settings) {
    auto& token = settings.sasl_token;
    token.endpoint = sasl.text("token_endpoint", "");
    token.scope = sasl.text("scope", "");
    token.extensions = sasl.text("extensions", "");
    const bool any = sasl.has("token_endpoint") || sasl.has("scope") || sasl.has("extensions");
    if (settings.sasl_mechanism != "OAUTHBEARER") {
        if (any)
            sasl.problem("kafka.sasl has token_endpoint, scope or extensions, which only OAUTHBEARER uses");
        return;
    }
    if (!is_safe_endpoint(token.endpoint)) {
        sasl.problem_at("token_endpoint",
                        "kafka.sasl.token_endpoint must be the https:// URL that gives tokens, without "
                        "credentials in it: the client's secret is sent there");
    }
}

/// A name of AWS: it becomes a part of host names.
bool is_region(std::string_view text) {
    constexpr std::size_t longest = 32;
    return !text.empty() && text.size() <= longest && text.contains('-') &&
           text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string_view::npos;
}

/// Who the pod is to AWS takes the place of user and password.
void read_iam(Section& sasl, KafkaSettings& settings) {
    settings.sasl_region = sasl.text("region", "");
    if (settings.sasl_mechanism != "AWS_MSK_IAM") {
        if (sasl.has("region"))
            sasl.problem_at("region", "kafka.sasl has region, which only AWS_MSK_IAM uses");
        return;
    }
    if (sasl.has("user") || sasl.has("password"))
        sasl.problem(
            "kafka.sasl has user or password, but AWS_MSK_IAM logs in as the role of the pod: remove them");
    if (!is_region(settings.sasl_region))
        sasl.problem_at("region",
                        "kafka.sasl.region must be the AWS region of the cluster, such as eu-west-1");
    if (!settings.tls.enabled) sasl.problem("kafka.sasl is AWS_MSK_IAM, which needs kafka.tls");
}

void read_sasl(Section& kafka, KafkaSettings& settings, Problems& problems) {
    auto sasl = kafka.section("sasl");
    const bool any = sasl.has("mechanism") || sasl.has("user") || sasl.has("password");
    settings.sasl_mechanism = sasl.one_of(
        "mechanism", {"PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "OAUTHBEARER", "AWS_MSK_IAM"}, "");
    settings.sasl_user = read_user(sasl, "user", problems);
    settings.sasl_password = read_password(sasl, "password", problems);
    read_token(sasl, settings);
    read_iam(sasl, settings);
    if (!any || settings.sasl_mechanism == "AWS_MSK_IAM") return;
    if (!sasl.has("mechanism") || !sasl.has("user") || !sasl.has("password")) {
        sasl.problem("kafka.sasl must have mechanism, user and password");
    }
    const bool is_clear = settings.sasl_mechanism == "PLAIN" || settings.sasl_mechanism == "OAUTHBEARER";
    if (!settings.tls.enabled && is_clear) {
        sasl.warn("kafka.sasl sends the password or token in clear text: set kafka.tls or use SCRAM-SHA-512");
    }
}

}  // namespace

std::string KafkaSettings::retry_topic(std::string_view tier) const {
    return topic + "." + group + ".retry." + std::string{tier};
}

KafkaSettings read_kafka(const Document& document, Problems& problems) {
    constexpr int most_replicas = 100;
    constexpr int most_partitions = 10'000;
    auto kafka = document.section("kafka");
    KafkaSettings settings;
    settings.brokers = read_brokers(kafka);
    read_names(kafka, settings);
    check_names(kafka, settings);
    settings.min_replication =
        static_cast<int>(kafka.integer("min_replication", settings.min_replication, 1, most_replicas));
    settings.min_insync = static_cast<int>(kafka.integer(
        "min_insync", std::min(settings.min_insync, settings.min_replication), 1, most_replicas));
    if (settings.min_insync > settings.min_replication) {
        kafka.problem_at("min_insync",
                         "kafka.min_insync must not exceed kafka.min_replication: no broker could meet it");
    }
    if (kafka.has("partitions"))
        settings.partitions = static_cast<int>(kafka.integer("partitions", 1, 1, most_partitions));
    settings.headers = read_header_form(kafka);
    settings.tls = read_tls(kafka, "tls", TlsSide::client);
    read_sasl(kafka, settings, problems);
    settings.options = read_librdkafka_options(kafka, "options");
    return settings;
}

}  // namespace sluice::config
