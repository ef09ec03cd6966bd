#include "common/kafka/client_config.hpp"

#include <array>
#include <string>

#include <fcntl.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace sluice::kafka {
namespace {

config::KafkaSettings plain() {
    config::KafkaSettings settings;
    settings.brokers = {"127.0.0.1:9", "127.0.0.1:10"};
    return settings;
}

std::string value_of(const Conf& conf, const char* property) {
    std::array<char, 512> text{};
    std::size_t size = text.size();
    if (rd_kafka_conf_get(conf.get(), property, text.data(), &size) != RD_KAFKA_CONF_OK) return "(none)";
    return text.data();
}

TEST(KafkaClientConfig, NamesBrokersAndClient) {
    const Conf conf = client_config(plain(), "sluice-ingress");
    EXPECT_EQ(value_of(conf, "bootstrap.servers"), "127.0.0.1:9,127.0.0.1:10");
    EXPECT_EQ(value_of(conf, "client.id"), "sluice-ingress");
    EXPECT_EQ(value_of(conf, "security.protocol"), "plaintext");
}

TEST(KafkaClientConfig, SetsTlsAndAlwaysVerifiesThePeer) {
    config::KafkaSettings settings = plain();
    settings.tls = {.enabled = true, .ca_file = "/ca.pem", .cert_file = "/cert.pem", .key_file = "/key.pem"};
    settings.options = {{"enable.ssl.certificate.verification", "false"},
                        {"ssl.endpoint.identification.algorithm", "none"},
                        {"security.protocol", "plaintext"}};
    const Conf conf = client_config(settings, "x");
    EXPECT_EQ(value_of(conf, "security.protocol"), "ssl");
    EXPECT_EQ(value_of(conf, "ssl.ca.location"), "/ca.pem");
    EXPECT_EQ(value_of(conf, "ssl.certificate.location"), "/cert.pem");
    EXPECT_EQ(value_of(conf, "ssl.key.location"), "/key.pem");
    EXPECT_EQ(value_of(conf, "enable.ssl.certificate.verification"), "true");
    EXPECT_EQ(value_of(conf, "ssl.endpoint.identification.algorithm"), "https");
}

TEST(KafkaClientConfig, SetsSasl) {
    config::KafkaSettings settings = plain();
    settings.sasl_mechanism = "SCRAM-SHA-512";
    settings.sasl_user = config::Credential{"sluice"};
    settings.sasl_password = config::Credential{"hunter2"};
    Conf conf = client_config(settings, "x");
    EXPECT_EQ(value_of(conf, "security.protocol"), "sasl_plaintext");
    EXPECT_EQ(value_of(conf, "sasl.mechanisms"), "SCRAM-SHA-512");
    EXPECT_EQ(value_of(conf, "sasl.username"), "sluice");
    EXPECT_EQ(value_of(conf, "sasl.password"), "hunter2");
    settings.tls.enabled = true;
    conf = client_config(settings, "x");
    EXPECT_EQ(value_of(conf, "security.protocol"), "sasl_ssl");
}

TEST(KafkaClientConfig, SetsWhereTokensComeFrom) {
    config::KafkaSettings settings = plain();
    settings.tls.enabled = true;
    settings.sasl_mechanism = "OAUTHBEARER";
    settings.sasl_user = config::Credential{"id"};
    settings.sasl_password = config::Credential{"hunter2"};
    settings.sasl_token = {.endpoint = "https://idp/token", .scope = "kafka", .extensions = "a=b"};
    const Conf conf = client_config(settings, "x");
    EXPECT_EQ(value_of(conf, "security.protocol"), "sasl_ssl");
    EXPECT_EQ(value_of(conf, "sasl.oauthbearer.method"), "oidc");
    EXPECT_EQ(value_of(conf, "sasl.oauthbearer.client.id"), "id");
    EXPECT_EQ(value_of(conf, "sasl.oauthbearer.client.secret"), "hunter2");
    EXPECT_EQ(value_of(conf, "sasl.oauthbearer.token.endpoint.url"), "https://idp/token");
    EXPECT_EQ(value_of(conf, "sasl.oauthbearer.scope"), "kafka");
    EXPECT_EQ(value_of(conf, "sasl.oauthbearer.extensions"), "a=b");
}

TEST(KafkaClientConfig, LogsInToMskByTokensOfOurs) {
    config::KafkaSettings settings = plain();
    settings.tls.enabled = true;
    settings.sasl_mechanism = "AWS_MSK_IAM";
    settings.sasl_region = "eu-west-1";
    const Conf conf = client_config(settings, "x");
    EXPECT_EQ(value_of(conf, "security.protocol"), "sasl_ssl");
    EXPECT_EQ(value_of(conf, "sasl.mechanisms"), "OAUTHBEARER");
    EXPECT_EQ(value_of(conf, "sasl.oauthbearer.method"), "default");
}

TEST(KafkaClientConfig, RefusesAPasswordThatWouldBeCut) {
    config::KafkaSettings settings = plain();
    settings.sasl_mechanism = "PLAIN";
    settings.sasl_password = config::Credential{std::string_view{"ab\0cd", 5}};
    EXPECT_THROW((void)client_config(settings, "x"), config::Refused);
}

TEST(KafkaClientConfig, PassesOptionsOn) {
    config::KafkaSettings settings = plain();
    settings.options = {{"socket.keepalive.enable", "true"}, {"compression.type", "lz4"}};
    const Conf conf = client_config(settings, "x");
    EXPECT_EQ(value_of(conf, "socket.keepalive.enable"), "true");
    EXPECT_EQ(value_of(conf, "compression.type"), "lz4");
}

TEST(KafkaClientConfig, NamesThePropertyThatIsRefused) {
    config::KafkaSettings settings = plain();
    settings.options = {{"no.such.property", "1"}};
    try {
        (void)client_config(settings, "x");
        FAIL() << "took an unknown property";
    } catch (const config::Refused& refused) {
        EXPECT_TRUE(std::string{refused.what()}.contains("no.such.property: ")) << refused.what();
    }
}

TEST(KafkaClientConfig, NeverQuotesKeyMaterial) {
    const Conf conf = client_config(plain(), "x");
    try {
        set(*conf, "ssl.key.pem.typo.password", "hunter2");
        FAIL() << "took an unknown property";
    } catch (const config::Refused& refused) {
        EXPECT_EQ(std::string{refused.what()}, "kafka: librdkafka refuses ssl.key.pem.typo.password");
    }
}

/// A producer that writes its start line (librdkafka does at debug level) to the log of its opaque.
std::string lines_of_a_client(LogOf log_of, void* opaque_of(Log&)) {
    int ends[2];
    EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    {
        Log log{{.program = "test", .level = LogLevel::info, .descriptor = ends[1], .capacity = 8192}};
        config::KafkaSettings settings = plain();
        settings.options = {{"debug", "conf"}};
        Conf conf = client_config(settings, "x");
        void* opaque = opaque_of(log);
        rd_kafka_conf_set_opaque(conf.get(), opaque);
        send_logs_to(*conf, log_of);
        EXPECT_TRUE(make_client(RD_KAFKA_PRODUCER, std::move(conf), settings));
    }
    ::close(ends[1]);
    std::string text;
    std::array<char, 4096> bytes{};
    for (ssize_t n = 0; (n = ::read(ends[0], bytes.data(), bytes.size())) > 0;) {
        text.append(bytes.data(), static_cast<std::size_t>(n));
    }
    ::close(ends[0]);
    return text;
}

struct Owner {
    int before = 0;
    Log* log = nullptr;
};

TEST(KafkaClientConfig, SendsEachClientsLinesToItsOwnLog) {
    const std::string direct =
        lines_of_a_client([](void* opaque) -> Log& { return *static_cast<Log*>(opaque); },
                          [](Log& log) -> void* { return &log; });
    EXPECT_TRUE(direct.contains("\"decision\":\"librdkafka\",\"facility\":\"")) << direct;
    const std::string through_owner =
        lines_of_a_client([](void* opaque) -> Log& { return *static_cast<Owner*>(opaque)->log; },
                          [](Log& log) -> void* {
                              static Owner owner;
                              owner.log = &log;
                              return &owner;
                          });
    EXPECT_TRUE(through_owner.contains("\"decision\":\"librdkafka\"")) << through_owner;
}

}  // namespace
}  // namespace sluice::kafka
