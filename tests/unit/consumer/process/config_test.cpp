#include "consumer/process/config.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "common/webhook/recipe/program.hpp"
#include "tests/unit/common/config/reading.hpp"

namespace sluice::consumer {
namespace {

using namespace std::chrono_literals;

struct ConsumerRead {
    ConsumerSettings settings;
    std::string report;
};

ConsumerRead read(const std::string& keys) {
    config::Reading reading{"consumer: {" + keys + "}\n"};
    auto settings = read_consumer(reading.document());
    return {settings, reading.report()};
}

TEST(ConsumerSettings, StandardsAreThoseOfTheHandbook) {
    const auto [settings, report] = read("");
    EXPECT_EQ(report, "");
    EXPECT_GE(settings.workers, 4);
    EXPECT_EQ(settings.batch, 300);
    EXPECT_EQ(settings.in_place, 2s);
    EXPECT_EQ(settings.effects_grace, 10min);
    EXPECT_EQ(settings.lane_keep, 24h);
    EXPECT_EQ(settings.drain_within, 20s);
}

TEST(ConsumerSettings, TimesOfLanesAreRead) {
    const auto [settings, report] = read("in_place: 0s, effects_grace: 1s, lane_keep: 30d, workers: 7");
    EXPECT_EQ(report, "");
    EXPECT_EQ(settings.in_place, 0s);
    EXPECT_EQ(settings.effects_grace, 1s);
    EXPECT_EQ(settings.lane_keep, std::chrono::days{30});
    EXPECT_EQ(settings.workers, 7);
    EXPECT_EQ(read("in_place: 60s, effects_grace: 24h, lane_keep: 1m").report, "");
}

TEST(ConsumerSettings, TheBudgetIsRead) {
    const auto fallback = read("").settings.dead_letter_budget;
    EXPECT_EQ(fallback.events, 20);
    EXPECT_EQ(fallback.refill, 5min);
    EXPECT_EQ(fallback.pause_after, 1000);
    const auto [settings, report] = read("dead_letter_budget: {events: 3, refill: 1s, pause_after: 0}");
    EXPECT_EQ(report, "");
    EXPECT_EQ(settings.dead_letter_budget.events, 3);
    EXPECT_EQ(settings.dead_letter_budget.refill, 1s);
    EXPECT_EQ(settings.dead_letter_budget.pause_after, 0);
    for (const std::string key : {"events: -1", "refill: 0s", "pause_after: -1", "within: 1m"}) {
        EXPECT_NE(read("dead_letter_budget: {" + key + "}").report, "") << key;
    }
}

TEST(ConsumerSettings, BoundsAreTold) {
    for (const std::string key : {"in_place: 61s", "effects_grace: 999ms", "effects_grace: 25h",
                                  "lane_keep: 59s", "lane_keep: 31d", "workers: 0", "batch: 0"}) {
        const auto report = read(key).report;
        EXPECT_TRUE(report.starts_with("test.yaml:1: consumer." + key.substr(0, key.find(':')))) << report;
    }
}

const std::string keyed_source =
    "sources:\n"
    "  - name: eu\n"
    "    recipe: stripe\n"
    "    principal: eu\n"
    "    keys: [{id: a, value: {env: SLUICE_TEST_KEY_OF_RETRY}}]\n";

TEST(SourcesWithKeys, HaveThem) {
    ::setenv("SLUICE_TEST_KEY_OF_RETRY", "whsec_of_the_retry_role", 1);
    const config::TestFile file{"with-keys.yaml", keyed_source};
    config::Problems problems;
    const auto sources = read_sources_with_keys(file.path(), problems);
    ASSERT_EQ(sources.size(), 1U);
    EXPECT_EQ(sources.front()->program->keys.size(), 1U);
    EXPECT_TRUE(problems.warnings().empty());
    ::unsetenv("SLUICE_TEST_KEY_OF_RETRY");
}

TEST(SourcesWithKeys, AreRefusedWithoutTheSecret) {
    const config::TestFile file{"no-secret.yaml", keyed_source};
    config::Problems problems;
    try {
        (void)read_sources_with_keys(file.path(), problems);
        FAIL() << "read without the secret";
    } catch (const config::Refused& refused) {
        const std::string sentence = refused.what();
        EXPECT_TRUE(sentence.starts_with(file.path() + ":5: ")) << sentence;
        EXPECT_NE(sentence.find("SLUICE_TEST_KEY_OF_RETRY"), std::string::npos) << sentence;
    }
}

}  // namespace
}  // namespace sluice::consumer
