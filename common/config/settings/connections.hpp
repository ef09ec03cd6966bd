#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/clock.hpp"
#include "common/config/credential.hpp"
#include "common/config/section.hpp"
#include "common/header_form.hpp"
#include "common/metering/rate.hpp"

namespace sluice::config {

/// `tls: {}` is off; any key switches it on. Peers are always verified.
struct Tls {
    bool enabled = false;
    std::string ca_file;    ///< empty: the system's roots
    std::string cert_file;  ///< client certificate, optional
    std::string key_file;
};

struct HostPort {
    std::string host;
    std::uint16_t port = 0;
};

/// Longest name of a retry tier, in letters: names of retry topics are checked before tiers are known.
inline constexpr std::size_t longest_tier_name = 8;

struct KafkaSettings {
    std::vector<std::string> brokers;
    std::string topic;             ///< payments.webhooks.v1
    std::string quarantine_topic;  ///< <topic>.quarantine
    std::string originals_topic;   ///< <topic>.originals; used where deliveries carry several events
    std::string callbacks_topic;   ///< <topic>.callbacks; used where callbacks are recorded
    std::string group;             ///< sluice
    std::string dlq_topic;         ///< <topic>.<group>.dlq
    std::string command_topic;     ///< <topic>.<group>.cmd
    int min_replication = 3;       ///< readiness is refused below (a single broker for a demo: 1)
    int min_insync = 2;
    int partitions = 0;    ///< that keys of `topic` are spread over; 0: all that it has
    HeaderForm headers{};  ///< of the records that are written to `topic`
    Tls tls;
    std::string sasl_mechanism;  ///< empty: none; else one of `kafka.sasl.mechanism`
    Credential sasl_user;        ///< of OAUTHBEARER the client id
    Credential sasl_password;    ///< of OAUTHBEARER the client secret
    struct TokenGrant {
        std::string endpoint;  ///< URL that gives tokens for client id and secret (RFC 6749 section 4.4)
        std::string scope;
        std::string extensions;                  ///< "name=value,…" for the broker (RFC 7628 section 3.1)
    } sasl_token;                                ///< of OAUTHBEARER
    std::string sasl_region;                     ///< of AWS_MSK_IAM: eu-west-1
    std::map<std::string, std::string> options;  ///< librdkafka properties, see read_kafka

    /// <topic>.<group>.retry.<tier>; a tier is one of consumer/lane/rules/retry_delays.hpp. No other topic
    /// name begins like this.
    [[nodiscard]] std::string retry_topic(std::string_view tier) const;
    /// Who reads for the record of callbacks: <group>.callbacks, in Kafka and in `applied_offset`.
    [[nodiscard]] std::string callbacks_group() const { return group + ".callbacks"; }
};

struct RedisServer {
    std::string host;
    std::uint16_t port = 6379;
    int database = 0;
    bool tls = false;  ///< rediss://
};

struct RedisSettings {
    std::vector<RedisServer> servers;  ///< chosen by hash of the key; none: dedup off, with a loud warning
    Credential username;
    Credential password;
    Tls tls;
    Milliseconds lease{10'000};
    Milliseconds ttl{72LL * 3'600'000};
    Milliseconds answer_within{20};  ///< of one claim
    std::int64_t epoch = 1;
};

struct MysqlSettings {
    std::string host;
    std::uint16_t port = 3306;
    std::string database;
    Credential user;
    Credential password;
    Tls tls;
};

struct InboxSettings {
    enum class Payload { all, failed, none };
    std::chrono::days keep{90};
    std::chrono::days keep_closed{
        400};  ///< closed dead letters and what operators did; never shorter than `keep`
    std::optional<std::chrono::days> keep_undated{};  ///< keys of undated events; nullopt: forever
    Payload payload = Payload::all;
};

/// The record of callbacks: each request that a provider sent, and what came of it.
struct CallbackSettings {
    bool recorded = false;
    std::chrono::days keep{90};  ///< in MySQL, by the day of receipt
    int most_in_a_minute = 5;    ///< callbacks of one object; more are an anomaly
    int most_in_an_hour = 10;
    std::string tell{};  ///< the destination that is told of anomalies; empty: none
};

/// The journal of what the ingress has answered for and Kafka does not have yet.
struct SpillSettings {
    std::string path;                          ///< of a folder; empty: nothing is spilled
    std::int64_t max = std::int64_t{1} << 30;  ///< bytes on disk
};

/// Where one of the programs that read the file serves its probes and metrics.
struct OperationsSettings {
    std::string key;  ///< of the section, for this program alone: "operations.consumer"
    HostPort address;
};

/// Whose address it is; --role both is a consumer.
enum class OperationsOf { ingress, consumer, retry, relay, poller, command };

/// Of one client, which is an IPv4 address or the /64 of an IPv6 one, and of one process. nullopt: no limit.
struct ClientLimits {
    std::optional<metering::Rate> connections{};  ///< new ones
    std::optional<metering::Rate> requests{};     ///< to all sources
    std::optional<metering::Rate> refused{};      ///< requests to one source whose signature is wrong
    /// The same of all clients together that have sent nothing authentic to it for a while.
    std::optional<metering::Rate> strangers{};
};

struct ListenSettings {
    HostPort address;
    int threads = 0;  ///< 0: auto, the CPU quota rounded up
    Tls tls;          ///< server side: cert_file and key_file
    enum class Proxy { none, v2, forwarded } proxy = Proxy::none;
    std::vector<std::string> trusted;  ///< addresses or CIDR blocks of proxies
    int max_connections = 20'000;
    int max_connections_per_address = 0;  ///< 0: none; only where the peer is the client
    int max_requests_per_connection = 10'000;
    ClientLimits clients{};             ///< of the ingress
    Milliseconds idle{30'000};          ///< a kept connection without a request
    Milliseconds drain_delay{5'000};    ///< readiness false, still serving
    Milliseconds drain_within{25'000};  ///< to finish requests and flush, after the delay
};

/// Each reads its section; secrets are resolved at once, credentials also later. librdkafka properties that
/// the protocol fixes (acks, enable.idempotence, enable.auto.offset.store, partitioner, …) are refused with
/// the reason.
[[nodiscard]] KafkaSettings read_kafka(const Document& document, Problems& problems);
[[nodiscard]] RedisSettings read_redis(const Document& document, Problems& problems);
[[nodiscard]] MysqlSettings read_mysql(const Document& document, Problems& problems);
[[nodiscard]] InboxSettings read_inbox(const Document& document, Problems& problems);
[[nodiscard]] CallbackSettings read_callbacks(const Document& document);
[[nodiscard]] SpillSettings read_spill(const Document& document);
[[nodiscard]] ListenSettings read_listen(const Document& document, Problems& problems);
/// Of a program that listens beside the ingress; `address` is its default.
[[nodiscard]] ListenSettings read_listen(Section listen, std::string_view address);
[[nodiscard]] OperationsSettings read_operations(const Document& document, OperationsOf program);

/// CPUs this process may use: the cgroup quota rounded up, at most the affinity mask; at least 1.
[[nodiscard]] int usable_cpus();

}  // namespace sluice::config
