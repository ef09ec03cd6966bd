#include <gtest/gtest.h>

#include "common/config/settings/connections.hpp"
#include "tests/unit/common/config/reading.hpp"

namespace sluice::config {
namespace {

struct KafkaRead {
    KafkaSettings settings;
    std::string report;
    std::vector<std::string> warnings;
};

KafkaRead read_text_of_kafka(const std::string& kafka) {
    Reading reading{"kafka: {" + kafka + "}\n"};
    auto settings = read_kafka(reading.document(), reading.problems());
    return {std::move(settings), reading.report(), reading.problems().warnings()};
}

TEST(KafkaSettings, DefaultsAreTheDesigns) {
    const auto [settings, report, warnings] = read_text_of_kafka("brokers: [\"kafka:9092\"]");
    EXPECT_EQ(report, "");
    EXPECT_TRUE(warnings.empty());
    EXPECT_EQ(settings.brokers, std::vector<std::string>{"kafka:9092"});
    EXPECT_EQ(settings.topic, "payments.webhooks.v1");
    EXPECT_EQ(settings.quarantine_topic, "payments.webhooks.v1.quarantine");
    EXPECT_EQ(settings.group, "sluice");
    EXPECT_EQ(settings.dlq_topic, "payments.webhooks.v1.sluice.dlq");
    EXPECT_EQ(settings.command_topic, "payments.webhooks.v1.sluice.cmd");
    EXPECT_EQ(settings.retry_topic("30s"), "payments.webhooks.v1.sluice.retry.30s");
    EXPECT_EQ(settings.min_replication, 3);
    EXPECT_EQ(settings.min_insync, 2);
    EXPECT_FALSE(settings.tls.enabled);
    EXPECT_EQ(settings.sasl_mechanism, "");
    EXPECT_TRUE(settings.options.empty());
}

TEST(KafkaSettings, DerivedTopicsFollowTopicAndGroup) {
    const auto settings = read_text_of_kafka("brokers: a, topic: t, group: g").settings;
    EXPECT_EQ(settings.quarantine_topic, "t.quarantine");
    EXPECT_EQ(settings.dlq_topic, "t.g.dlq");
    EXPECT_EQ(settings.command_topic, "t.g.cmd");
    EXPECT_EQ(settings.retry_topic("1h"), "t.g.retry.1h");
    const auto named =
        read_text_of_kafka("brokers: a, quarantine_topic: q, dlq_topic: d, command_topic: c").settings;
    EXPECT_EQ(named.quarantine_topic, "q");
    EXPECT_EQ(named.dlq_topic, "d");
    EXPECT_EQ(named.command_topic, "c");
}

TEST(KafkaSettings, BrokersMustBeGivenAndWellFormed) {
    EXPECT_NE(read_text_of_kafka("").report.find("kafka.brokers must name at least one broker"),
              std::string::npos);
    EXPECT_NE(read_text_of_kafka("brokers: []").report, "");
    EXPECT_NE(read_text_of_kafka("brokers: [\"kafka:9092\", \"a b\"]").report.find("\"a b\""),
              std::string::npos);
    EXPECT_NE(read_text_of_kafka("brokers: \"a:1,b:1\"").report, "");
    EXPECT_EQ(read_text_of_kafka("brokers: [\"a:1\", b, \"[::1]:3\"]").report, "");
}

TEST(KafkaSettings, NamesKeepKafkasRules) {
    for (const auto& entry : {"topic: \"a b\"", "topic: \"\"", "topic: ..", "group: a/b", "dlq_topic: ä",
                              "quarantine_topic: \"a,b\""}) {
        EXPECT_NE(read_text_of_kafka(std::string{"brokers: a, "} + entry).report, "") << entry;
    }
    EXPECT_NE(read_text_of_kafka("brokers: a, topic: " + std::string(249, 't')).report,
              "");  // too long with .quarantine
}

TEST(KafkaSettings, NamesOfRetryTopicsHaveRoom) {
    const std::size_t around = std::string_view{"..retry."}.size() + longest_tier_name;
    const auto with_topic_of = [](std::size_t letters) {
        return read_text_of_kafka("brokers: a, group: g, topic: " + std::string(letters, 't') +
                                  ", quarantine_topic: q, originals_topic: o")
            .report;
    };
    EXPECT_EQ(with_topic_of(249 - around - 1), "");
    EXPECT_NE(with_topic_of(249 - around).find("kafka.topic and kafka.group are too long"),
              std::string::npos);
}

TEST(KafkaSettings, TopicsMustDiffer) {
    EXPECT_NE(read_text_of_kafka("brokers: a, topic: t, dlq_topic: t").report, "");
    EXPECT_NE(read_text_of_kafka("brokers: a, quarantine_topic: t, dlq_topic: t").report, "");
    EXPECT_NE(read_text_of_kafka("brokers: a, originals_topic: t, command_topic: t").report, "");
    EXPECT_NE(read_text_of_kafka("brokers: a, topic: t, group: g, command_topic: t.g.retry.5s").report, "");
    EXPECT_EQ(read_text_of_kafka("brokers: a, topic: t, group: g, command_topic: t.h.retry.5s").report, "");
}

TEST(KafkaSettings, DemandsOnReplicationAreBounded) {
    const auto demo = read_text_of_kafka("brokers: a, min_replication: 1");
    EXPECT_EQ(demo.report, "");
    EXPECT_EQ(demo.settings.min_replication, 1);
    EXPECT_EQ(demo.settings.min_insync, 1);
    EXPECT_NE(read_text_of_kafka("brokers: a, min_replication: 0").report, "");
    EXPECT_NE(read_text_of_kafka("brokers: a, min_replication: 2, min_insync: 3").report, "");
}

TEST(KafkaSettings, TokensComeFromAnEndpoint) {
    const TestFile secret{"kafka-secret", "secret\n"};
    const auto read = [&](const std::string& mechanism, const std::string& more) {
        return read_text_of_kafka("brokers: a, tls: {enabled: true}, sasl: {mechanism: " + mechanism +
                                  ", user: id, password: {file: " + secret.path() + "}" + more + "}");
    };
    const auto whole =
        read("OAUTHBEARER", ", token_endpoint: \"https://idp/token\", scope: kafka, extensions: \"a=b\"");
    EXPECT_EQ(whole.report, "");
    EXPECT_EQ(whole.settings.sasl_token.endpoint, "https://idp/token");
    EXPECT_EQ(whole.settings.sasl_token.scope, "kafka");
    EXPECT_EQ(whole.settings.sasl_token.extensions, "a=b");
    EXPECT_EQ(read("OAUTHBEARER", ", token_endpoint: \"http://127.0.0.1:1/token\"").report, "");
    for (const char* more :
         {"", ", token_endpoint: \"http://idp/token\"", ", token_endpoint: idp",
          ", token_endpoint: \"http://localhost:1@idp/token\"", ", token_endpoint: \"http://localhost.idp/\"",
          ", token_endpoint: \"https://user:password@idp/token\""})
        EXPECT_NE(read("OAUTHBEARER", more).report.find("must be the https:// URL"), std::string::npos)
            << more;
    EXPECT_NE(read("PLAIN", ", scope: kafka").report.find("only OAUTHBEARER uses"), std::string::npos);
}

TEST(KafkaSettings, MskTakesTheRoleOfThePod) {
    const auto report = [](const std::string& sasl, const std::string& tls = "true") {
        return read_text_of_kafka("brokers: a, tls: {enabled: " + tls + "}, sasl: {" + sasl + "}").report;
    };
    EXPECT_EQ(report("mechanism: AWS_MSK_IAM, region: us-gov-west-1"), "");
    for (const char* region :
         {"", ", region: eu", ", region: \"eu-west-1.example.com/\"", ", region: EU-WEST-1"})
        EXPECT_TRUE(
            report(std::string{"mechanism: AWS_MSK_IAM"} + region).contains("kafka.sasl.region must be"))
            << region;
    EXPECT_TRUE(
        report("mechanism: AWS_MSK_IAM, region: eu-west-1, user: me").contains("as the role of the pod"));
    EXPECT_TRUE(report("mechanism: AWS_MSK_IAM, region: eu-west-1", "false").contains("needs kafka.tls"));
    EXPECT_TRUE(report("mechanism: PLAIN, region: eu-west-1").contains("only AWS_MSK_IAM uses"));
}

TEST(KafkaSettings, SaslNeedsAllThree) {
    const TestFile password{"kafka-password", "secret\n"};
    const auto full =
        "brokers: a, sasl: {mechanism: SCRAM-SHA-512, user: u, password: {file: " + password.path() + "}}";
    const auto read_full = read_text_of_kafka(full);
    EXPECT_EQ(read_full.report, "");
    EXPECT_TRUE(read_full.warnings.empty());
    EXPECT_EQ(read_full.settings.sasl_mechanism, "SCRAM-SHA-512");
    EXPECT_EQ(read_full.settings.sasl_user.now().bytes(), "u");
    EXPECT_EQ(read_full.settings.sasl_password.now().bytes(), "secret");
    const auto secret = "password: {file: " + password.path() + "}";
    for (const auto& part : {"mechanism: PLAIN, user: u", "mechanism: PLAIN, %", "user: u, %", "%"}) {
        std::string sasl = part;
        if (const auto at = sasl.find('%'); at != std::string::npos) sasl.replace(at, 1, secret);
        EXPECT_EQ(read_text_of_kafka("brokers: a, sasl: {" + sasl + "}").report,
                  "test.yaml:1: kafka.sasl must have mechanism, user and password")
            << part;
    }
    EXPECT_NE(read_text_of_kafka(
                  "brokers: a, sasl: {mechanism: GSSAPI, user: u, password: {file: " + password.path() + "}}")
                  .report,
              "");
}

TEST(KafkaSettings, ClearTextPasswordIsWarnedOf) {
    const TestFile password{"kafka-password", "secret\n"};
    const auto sasl =
        "brokers: a, sasl: {mechanism: PLAIN, user: u, password: {file: " + password.path() + "}}";
    EXPECT_EQ(read_text_of_kafka(sasl).warnings.size(), 1U);
    EXPECT_TRUE(read_text_of_kafka(sasl + ", tls: {enabled: true}").warnings.empty());
}

TEST(KafkaSettings, FormOfTheHeadersIsOneOfTwo) {
    using enum HeaderForm;
    EXPECT_EQ(read_text_of_kafka("brokers: a").settings.headers, packed);
    EXPECT_EQ(read_text_of_kafka("brokers: a, headers: packed").settings.headers, packed);
    EXPECT_EQ(read_text_of_kafka("brokers: a, headers: cloudevents").settings.headers, cloudevents);
    EXPECT_EQ(read_text_of_kafka("brokers: a, headers: Packed").report,
              "test.yaml:1: kafka.headers must be one of packed, cloudevents, not \"Packed\"");
}

TEST(KafkaSettings, OptionsAreHandedOn) {
    const auto [settings, report, warnings] =
        read_text_of_kafka("brokers: a, options: {compression.type: lz4}");
    EXPECT_EQ(report, "");
    EXPECT_EQ(settings.options.at("compression.type"), "lz4");
    EXPECT_NE(read_text_of_kafka("brokers: a, options: {acks: 1}").report, "");
}

TEST(KafkaSettings, EverythingWrongIsReportedAtOnce) {
    Reading reading{
        "kafka:\n  brokers: []\n  topik: t\n  group: a/b\n  sasl: {mechanism: X}\n  options: {acks: 0}\n"};
    static_cast<void>(read_kafka(reading.document(), reading.problems()));
    EXPECT_GE(reading.problems().errors().size(), 5U) << reading.report();
    EXPECT_NE(reading.report().find("test.yaml:3: kafka.topik is not a known key; did you mean \"topic\"?"),
              std::string::npos);
}

TEST(KafkaSettings, PartitionsArePinnedOnlyWhereSaid) {
    EXPECT_EQ(read_text_of_kafka("brokers: [k]").settings.partitions, 0);
    EXPECT_EQ(read_text_of_kafka("brokers: [k], partitions: 12").settings.partitions, 12);
    EXPECT_NE(read_text_of_kafka("brokers: [k], partitions: 0").report, "");
}

}  // namespace
}  // namespace sluice::config
