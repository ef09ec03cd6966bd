#include "common/config/settings/librdkafka_options.hpp"

#include <gtest/gtest.h>

#include "tests/unit/common/config/reading.hpp"

namespace sluice::config {
namespace {

TEST(LibrdkafkaOptions, WhatTheProtocolFixesIsRefusedWithAReason) {
    for (const auto* const property : {"acks",
                                       "request.required.acks",
                                       "enable.idempotence",
                                       "enable.gapless.guarantee",
                                       "max.in.flight",
                                       "max.in.flight.requests.per.connection",
                                       "partitioner",
                                       "linger.ms",
                                       "queue.buffering.max.ms",
                                       "batch.size",
                                       "message.timeout.ms",
                                       "delivery.timeout.ms",
                                       "retries",
                                       "message.send.max.retries",
                                       "queuing.strategy",
                                       "delivery.report.only.error",
                                       "transactional.id",
                                       "enable.auto.offset.store",
                                       "enable.auto.commit",
                                       "auto.commit.enable",
                                       "offset.store.method",
                                       "auto.offset.reset",
                                       "isolation.level",
                                       "group.id",
                                       "group.instance.id",
                                       "group.protocol",
                                       "partition.assignment.strategy",
                                       "enable.partition.eof",
                                       "bootstrap.servers",
                                       "metadata.broker.list",
                                       "client.id",
                                       "allow.auto.create.topics",
                                       "security.protocol",
                                       "enable.ssl.certificate.verification",
                                       "ssl.endpoint.identification.algorithm",
                                       "ssl.ca.location",
                                       "ssl.ca.pem",
                                       "ssl.certificate.location",
                                       "ssl.key.location",
                                       "ssl.key.password",
                                       "ssl.key.pem",
                                       "ssl.keystore.password",
                                       "sasl.mechanism",
                                       "sasl.mechanisms",
                                       "sasl.username",
                                       "sasl.password",
                                       "sasl.oauthbearer.client.secret",
                                       "test.mock.num.brokers",
                                       "message.max.bytes",
                                       "queue.buffering.max.kbytes",
                                       "queued.max.messages.kbytes",
                                       "socket.nagle.disable",
                                       "reconnect.backoff.ms",
                                       "reconnect.backoff.max.ms",
                                       "auto.commit.interval.ms"}) {
        EXPECT_NE(why_fixed(property), "") << property;
    }
}

TEST(LibrdkafkaOptions, TheRestIsTheOperatorsAffair) {
    for (const auto* const property :
         {"compression.type", "compression.codec", "socket.keepalive.enable", "statistics.interval.ms",
          "fetch.max.bytes", "session.timeout.ms", "queue.buffering.max.messages", "client.rack", "debug",
          "ssl.cipher.suites", "ssl.crl.location", "broker.address.family", "acks.x", "no.such.property",
          "no.sasl.property"}) {
        EXPECT_EQ(why_fixed(property), "") << property;
    }
}

TEST(LibrdkafkaOptions, EachRefusalNamesItsOwnLine) {
    const Reading reading{
        "kafka:\n  options:\n    compression.type: lz4\n    acks: 1\n    linger.ms: 5\n    debug: [a]\n"};
    auto kafka = reading.section("kafka");
    const auto options = read_librdkafka_options(kafka, "options");
    EXPECT_EQ(options, (std::map<std::string, std::string>{{"compression.type", "lz4"}}));
    EXPECT_EQ(reading.report(),
              "test.yaml:4: librdkafka's \"acks\" cannot be set: an answer of success promises that all "
              "in-sync replicas have the event\n"
              "test.yaml:5: librdkafka's \"linger.ms\" cannot be set: batches form while earlier ones are in "
              "flight, not by a timer\n"
              "test.yaml:6: librdkafka's \"debug\" must have a plain value");
}

TEST(LibrdkafkaOptions, MustBeAMapping) {
    const Reading reading{"kafka:\n  options: [a]\n"};
    auto kafka = reading.section("kafka");
    EXPECT_TRUE(read_librdkafka_options(kafka, "options").empty());
    EXPECT_EQ(reading.report(), "test.yaml:2: kafka.options must be a mapping of librdkafka properties");
}

TEST(LibrdkafkaOptions, DebugMayNotLogTheConfiguration) {
    for (const char* contexts : {"conf", "all", "broker, conf"}) {
        Reading reading{std::string{"kafka:\n  options: {debug: \""} + contexts + "\"}\n"};
        auto section = reading.document().section("kafka");
        EXPECT_TRUE(read_librdkafka_options(section, "options").empty()) << contexts;
        EXPECT_NE(reading.report().find("cannot have conf or all"), std::string::npos) << contexts;
    }
}

}  // namespace
}  // namespace sluice::config
