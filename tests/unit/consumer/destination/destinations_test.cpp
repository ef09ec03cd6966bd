#include <gtest/gtest.h>

#include "consumer/destination/destination.hpp"
#include "tests/unit/common/config/reading.hpp"

namespace sluice::destination {
namespace {

/// What is said of destinations beside a consumer's topics.
std::string report_of(const std::string& destinations) {
    config::Reading reading{"kafka: {brokers: [a:1], topic: shop.webhooks, group: g}\ndestinations: {" +
                            destinations + "}\n"};
    const auto kafka = config::read_kafka(reading.document(), reading.problems());
    refuse_own_topics(read_destinations(reading.document()), kafka, reading.document());
    return reading.report();
}

TEST(Destinations, AreTopicsAndUrls) {
    EXPECT_EQ(report_of("orders: {kafka: {topic: shop.orders}}, "
                        "mail: {http: {url: \"https://mail/send\", secrets: [{value: {env: A}}]}}"),
              "");
}

TEST(Destinations, AreNoTopicsOfSluiceItself) {
    for (const std::string topic :
         {"shop.webhooks", "shop.webhooks.quarantine", "shop.webhooks.originals", "shop.webhooks.g.dlq",
          "shop.webhooks.g.cmd", "shop.webhooks.g.retry.5s"}) {
        const auto report = report_of("orders: {kafka: {topic: " + topic + "}}");
        EXPECT_TRUE(report.contains(":2:") && report.contains("'" + topic + "' is a topic of sluice's own"))
            << report;
    }
}

TEST(Destinations, DoNotDifferInCaseAlone) {
    const auto report = report_of("mail: {kafka: {topic: a}}, Mail: {kafka: {topic: b}}");
    EXPECT_TRUE(report.contains("'Mail' and 'mail' differ in case alone")) << report;
}

TEST(Destinations, SayWhatIsWrong) {
    EXPECT_TRUE(report_of("\"a b\": {kafka: {topic: a}}").contains("'a b' is not a destination's name"));
    EXPECT_TRUE(report_of("a: {}").contains("must be one of kafka and http"));
    EXPECT_TRUE(report_of("a: {http: {url: mail}}").contains("url must begin with https:// or http://"));
    EXPECT_TRUE(
        report_of("a: {http: {url: \"http://a\", allow: [ten]}}").contains("'ten' is no address block"));
}

}  // namespace
}  // namespace sluice::destination
