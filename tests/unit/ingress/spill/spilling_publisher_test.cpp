#include "ingress/spill/spilling_publisher.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "common/config/problems.hpp"
#include "tests/unit/ingress/spill/spilling.hpp"

namespace sluice::spill {
namespace {

using publish::Published;
using Values = std::vector<std::string>;

class SpillingPublisherTest : public testing::Test {
protected:
    void kafka_says(Published outcome) { spilling.kafka.answer_with(outcome); }
    [[nodiscard]] Values offered() const {
        Values values;
        for (const auto& kept : spilling.kafka.kept()) values.push_back(kept.value);
        return values;
    }

    Spilling spilling;
};

TEST_F(SpillingPublisherTest, WhatKafkaTakesIsNotWrittenToDisk) {
    EXPECT_EQ(spilling.take("k", "v"), Published::stored);
    EXPECT_TRUE(spilling.files().empty());
}

TEST_F(SpillingPublisherTest, WhatKafkaDoesNotTakeIsSafeInTheJournal) {
    for (const Published why : {Published::not_acked, Published::shed, Published::unavailable}) {
        kafka_says(why);
        EXPECT_EQ(spilling.take("key of " + std::to_string(static_cast<int>(why)), "v"), Published::spilled);
    }
    EXPECT_EQ(spilling.backlog->records(), 3U);
    EXPECT_EQ(spilling.counted("sluice_ingress_spilled_total"), 3);
}

TEST_F(SpillingPublisherTest, LaterRecordsOfAKeyDoNotOvertake) {
    kafka_says(Published::unavailable);
    EXPECT_EQ(spilling.take("k", "first"), Published::spilled);
    kafka_says(Published::stored);
    EXPECT_EQ(spilling.take("k", "second"), Published::spilled);
    EXPECT_EQ(spilling.take("another key", "third"), Published::stored);
    EXPECT_EQ(offered(), Values{"third"});
    spilling.drain();
    EXPECT_EQ(spilling.in_kafka(), (Values{"first", "second"}));
    EXPECT_EQ(spilling.take("k", "fourth"), Published::stored);
}

TEST_F(SpillingPublisherTest, WhatATopicNeverTakesIsNotKept) {
    kafka_says(Published::unavailable);
    spilling.largest = 500;
    EXPECT_EQ(spilling.take("k", std::string(600, 'x')), Published::too_large);
    EXPECT_EQ(spilling.take("k", "small"), Published::spilled);
    EXPECT_EQ(spilling.take("k", std::string(600, 'x')), Published::too_large);
    EXPECT_EQ(spilling.backlog->records(), 1U);
    EXPECT_EQ(spilling.counted("sluice_ingress_spill_refused_total{reason=\"too_large\"}"), 2);
}

TEST_F(SpillingPublisherTest, NothingIsKeptForAKafkaThatHasNeverBeenThere) {
    spilling.largest.reset();
    kafka_says(Published::unavailable);
    EXPECT_EQ(spilling.take("k", "v"), Published::unavailable);
    EXPECT_TRUE(spilling.files().empty());
}

TEST_F(SpillingPublisherTest, ItWasThereForAnEarlierProcess) {
    kafka_says(Published::unavailable);
    EXPECT_EQ(spilling.take("k", "v"), Published::spilled);
    spilling.restart();
    spilling.largest.reset();
    kafka_says(Published::unavailable);
    EXPECT_EQ(spilling.take("k", std::string(SpillingPublisher::cautious_record, 'x')),
              Published::unavailable);
    EXPECT_EQ(spilling.take("k", std::string(SpillingPublisher::cautious_record / 2, 'x')),
              Published::spilled);
}

TEST_F(SpillingPublisherTest, AFullJournalTakesNothingMoreUntilItIsDrained) {
    spilling.restart(10'000);
    kafka_says(Published::not_acked);
    EXPECT_EQ(spilling.take("k", std::string(6'000, 'x')), Published::spilled);
    EXPECT_EQ(spilling.take("k", std::string(6'000, 'y')), Published::unavailable);
    EXPECT_EQ(spilling.take("another key", std::string(6'000, 'z')), Published::not_acked);
    EXPECT_EQ(spilling.backlog->records(), 1U);
    EXPECT_EQ(spilling.counted("sluice_ingress_spill_refused_total{reason=\"full\"}"), 2);
    spilling.drain();
    EXPECT_EQ(spilling.take("another key", std::string(6'000, 'z')), Published::spilled);
}

TEST_F(SpillingPublisherTest, ABrokenJournalTakesNothingMoreAndIsDrained) {
    kafka_says(Published::not_acked);
    EXPECT_EQ(spilling.take("k", "before"), Published::spilled);
    spilling.journal->break_for_good("sync", std::make_error_code(std::errc::io_error));
    EXPECT_EQ(spilling.take("k", "after"), Published::unavailable);
    EXPECT_EQ(spilling.counted("sluice_ingress_spill_broken"), 1);
    spilling.drain();
    EXPECT_EQ(spilling.in_kafka(), Values{"before"});
    kafka_says(Published::stored);
    EXPECT_EQ(spilling.take("k", "after"), Published::stored);
}

TEST_F(SpillingPublisherTest, RecordsOfAKeyAreKeptAsTheyCame) {
    spilling.kafka.answer_with(Published::shed);
    EXPECT_EQ(spilling.take_at_once("k", {"first", "second", "third"}, "first"),
              std::vector(3, Published::spilled));
    spilling.drain();
    EXPECT_EQ(spilling.in_kafka(), (Values{"first", "second", "third"}));
}

TEST_F(SpillingPublisherTest, WhoIsRefusedBetweenThemLetsNobodyPass) {
    spilling.kafka.answer_with(Published::shed);
    const std::string large(2'000'000, 'x');
    EXPECT_EQ(spilling.take_at_once("k", {"first", large, "third"}, "first"),
              (std::vector{Published::spilled, Published::too_large, Published::spilled}));
    spilling.kafka.answer_to(large, Published::too_large);
    EXPECT_EQ(spilling.take_at_once("l", {"first", large, "third"}, "first"),
              (std::vector{Published::spilled, Published::too_large, Published::spilled}));
    spilling.drain();
    const Values values = spilling.in_kafka();
    EXPECT_EQ(std::ranges::count(values, "first"), 2);
    EXPECT_EQ(values.front(), "first");
    EXPECT_EQ(values.back(), "third");
}

TEST_F(SpillingPublisherTest, AFolderHasOneHolder) {
    EXPECT_THROW(Folder{spilling.folder->path_of(1).parent_path()}, config::Refused);
}

TEST_F(SpillingPublisherTest, AMissingFolderIsRefused) {
    EXPECT_THROW(Folder{"/nowhere/spill"}, config::Refused);
}

}  // namespace
}  // namespace sluice::spill
