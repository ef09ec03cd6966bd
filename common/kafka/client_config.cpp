#include "common/kafka/client_config.hpp"

#include <array>
#include <atomic>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <openssl/crypto.h>

#include "common/joined.hpp"
#include "common/kafka/iam/token_renewal.hpp"
#include "common/kafka/sasl_renewal.hpp"

namespace sluice::kafka {
namespace {

bool holds_key_material(std::string_view property) {
    for (const std::string_view part : {"password", "pem", "secret", "oauthbearer"}) {
        if (property.contains(part)) return true;
    }
    return false;
}

std::string security_protocol(const config::KafkaSettings& settings) {
    const bool sasl = !settings.sasl_mechanism.empty();
    if (settings.tls.enabled) return sasl ? "SASL_SSL" : "SSL";
    return sasl ? "SASL_PLAINTEXT" : "PLAINTEXT";
}

void set_given(rd_kafka_conf_t& conf, const std::string& property, const std::string& value) {
    if (!value.empty()) set(conf, property, value);
}

void set_tls(rd_kafka_conf_t& conf, const config::Tls& tls) {
    if (!tls.enabled) return;
    set(conf, "enable.ssl.certificate.verification", "true");
    set(conf, "ssl.endpoint.identification.algorithm", "https");
    set_given(conf, "ssl.ca.location", tls.ca_file);
    set_given(conf, "ssl.certificate.location", tls.cert_file);
    set_given(conf, "ssl.key.location", tls.key_file);
}

/// librdkafka fetches tokens by itself, on a thread of its own.
void set_token(rd_kafka_conf_t& conf, const config::KafkaSettings::TokenGrant& token) {
    set(conf, "sasl.oauthbearer.method", "oidc");
    set(conf, "sasl.oauthbearer.token.endpoint.url", token.endpoint);
    set_given(conf, "sasl.oauthbearer.scope", token.scope);
    set_given(conf, "sasl.oauthbearer.extensions", token.extensions);
}

/// Its tokens come from iam::TokenRenewal, in time, so that nothing is left to do when librdkafka asks.
void set_iam(rd_kafka_conf_t& conf) {
    set(conf, "sasl.mechanisms", "OAUTHBEARER");
    rd_kafka_conf_set_oauthbearer_token_refresh_cb(&conf, [](rd_kafka_t*, const char*, void*) {});
}

void set_sasl(rd_kafka_conf_t& conf, const config::KafkaSettings& settings) {
    if (settings.sasl_mechanism.empty()) return;
    if (settings.sasl_mechanism == "AWS_MSK_IAM") return set_iam(conf);
    const bool by_token = settings.sasl_mechanism == "OAUTHBEARER";
    set(conf, "sasl.mechanisms", settings.sasl_mechanism);
    if (by_token) set_token(conf, settings.sasl_token);
    set(conf, by_token ? "sasl.oauthbearer.client.id" : "sasl.username",
        std::string{settings.sasl_user.now().bytes()});
    const Secret secret = settings.sasl_password.now();
    if (secret.bytes().contains('\0')) {
        throw config::Refused{
            "kafka.sasl: the password contains a zero byte, which librdkafka does not accept"};
    }
    std::string password{secret.bytes()};
    set(conf, by_token ? "sasl.oauthbearer.client.secret" : "sasl.password", password);
    OPENSSL_cleanse(password.data(), password.size());
}

// librdkafka gives its log callback only the client, so each LogOf needs its own C function:
// one of these few, each bound to one slot.
constexpr std::size_t slot_count = 8;
std::array<std::atomic<LogOf>, slot_count> slots;

void write_line(Log& log, int level, const char* facility, const char* text) {
    constexpr int syslog_error = 3;
    constexpr int syslog_warning = 4;
    const std::initializer_list<LogField> fields{{"facility", std::string_view{facility}},
                                                 {"message", std::string_view{text}}};
    if (level <= syslog_error) {
        log.error("librdkafka", fields);
    } else if (level == syslog_warning) {
        log.warn("librdkafka", fields);
    } else {
        log.info("librdkafka", fields);
    }
}

// Runs on librdkafka's threads: must not block, must not throw.
template <std::size_t slot>
void on_log(const rd_kafka_t* client, int level, const char* facility, const char* text) noexcept {
    try {
        void* opaque = rd_kafka_opaque(client);
        if (opaque != nullptr) write_line(slots[slot].load()(opaque), level, facility, text);
    } catch (...) {
        // A line that cannot be allocated is a line lost.
    }
}

using LogCallback = void (*)(const rd_kafka_t*, int, const char*, const char*);

template <std::size_t... slot>
constexpr std::array<LogCallback, slot_count> callbacks_of(std::index_sequence<slot...>) {
    return {on_log<slot>...};
}

constexpr auto callbacks = callbacks_of(std::make_index_sequence<slot_count>{});

LogCallback callback_for(LogOf log_of) {
    for (std::size_t i = 0; i < slot_count; ++i) {
        LogOf held = nullptr;
        if (slots[i].compare_exchange_strong(held, log_of) || held == log_of) return callbacks[i];
    }
    throw std::logic_error{"kafka::send_logs_to knows " + std::to_string(slot_count) + " functions at most"};
}

/// What keeps the logins of a client up to date; nothing where they do not change.
std::shared_ptr<void> renewal_of(rd_kafka_t& client, const config::KafkaSettings& settings) {
    if (settings.sasl_mechanism == "AWS_MSK_IAM")
        return std::make_shared<iam::TokenRenewal>(client, settings.sasl_region);
    // librdkafka takes no other client secret from a client that runs.
    const bool can_change = !settings.sasl_mechanism.empty() && settings.sasl_mechanism != "OAUTHBEARER";
    const bool may_change = settings.sasl_user.may_change() || settings.sasl_password.may_change();
    if (!can_change || !may_change) return nullptr;
    return std::make_shared<SaslRenewal>(client, settings.sasl_user, settings.sasl_password);
}

}  // namespace

std::expected<Client, std::string> make_client(rd_kafka_type_t type, Conf conf,
                                               const config::KafkaSettings& settings) {
    std::array<char, 512> reason{};
    Client client{rd_kafka_new(type, conf.get(), reason.data(), reason.size())};
    if (!client) return std::unexpected(std::string{reason.data()});
    static_cast<void>(conf.release());  // the client's now
    try {
        client.get_deleter().renewal = renewal_of(*client, settings);
    } catch (const std::system_error& no_thread) {
        return std::unexpected(std::string{no_thread.what()});
    }
    return client;
}

void set(rd_kafka_conf_t& conf, const std::string& property, const std::string& value) {
    std::array<char, 512> reason{};
    if (rd_kafka_conf_set(&conf, property.c_str(), value.c_str(), reason.data(), reason.size()) ==
        RD_KAFKA_CONF_OK) {
        return;
    }
    // librdkafka's reason may quote the value.
    throw config::Refused{"kafka: librdkafka refuses " + property +
                          (holds_key_material(property) ? "" : ": " + std::string{reason.data()})};
}

Conf client_config(const config::KafkaSettings& settings, const std::string& client_id) {
    Conf conf{rd_kafka_conf_new()};
    // First, so that none of them weakens what follows.
    // Telemetry to the brokers is not wanted, and ending it delays each client's end by a second.
    set(*conf, "enable.metrics.push", "false");
    for (const auto& [property, value] : settings.options) set(*conf, property, value);
    set(*conf, "bootstrap.servers", joined(settings.brokers, ","));
    set(*conf, "client.id", client_id);
    // With librdkafka's 10 s, a broker that is back would stay unused for seconds.
    set(*conf, "reconnect.backoff.max.ms", "1000");
    set(*conf, "security.protocol", security_protocol(settings));
    set_tls(*conf, settings.tls);
    set_sasl(*conf, settings);
    return conf;
}

void send_logs_to(rd_kafka_conf_t& conf, LogOf log_of) {
    rd_kafka_conf_set_log_cb(&conf, callback_for(log_of));
}

}  // namespace sluice::kafka
