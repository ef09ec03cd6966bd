#include "ingress/spill/spill_drain.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "tests/unit/ingress/spill/spilling.hpp"

namespace sluice::spill {
namespace {

using publish::Published;
using Values = std::vector<std::string>;

class SpillDrainTest : public testing::Test {
protected:
    SpillDrainTest() { kafka_goes(); }

    void kafka_goes() { spilling.kafka.answer_with(Published::unavailable); }
    void restart() {
        spilling.restart();
        kafka_goes();
    }
    void take(const std::string& key, const std::string& value) {
        ASSERT_EQ(spilling.take(key, value), Published::spilled);
    }
    /// Passes, until the journal's thread has removed what is drained.
    void drain_until_empty() {
        while (!spilling.journal->parts().empty()) spilling.drain();
    }
    [[nodiscard]] Values of_key(const std::string& key) const {
        Values values;
        for (const auto& kept : spilling.drains_to.kept())
            if (kept.key == key) values.push_back(kept.value);
        return values;
    }
    void change(const std::filesystem::path& file, std::size_t at, char byte) {
        std::fstream stream{file, std::ios::in | std::ios::out | std::ios::binary};
        stream.seekp(static_cast<std::streamoff>(at));
        stream.put(byte);
    }

    Spilling spilling;
};

TEST_F(SpillDrainTest, BringsEachRecordOnceAndLeavesNoFile) {
    Values all;
    for (int i = 0; i < 500; ++i) {
        all.push_back(std::to_string(i));
        take("key " + std::to_string(i % 200), all.back());
    }
    drain_until_empty();
    Values got = spilling.in_kafka();
    EXPECT_EQ(got.size(), 500U);
    for (int key = 0; key < 200; ++key) {
        const Values values = of_key("key " + std::to_string(key));
        EXPECT_TRUE(std::ranges::is_sorted(values, {}, [](const std::string& v) { return std::stoi(v); }));
    }
    EXPECT_TRUE(spilling.files().empty());
    EXPECT_EQ(spilling.backlog->records(), 0U);
    EXPECT_EQ(spilling.counted("sluice_ingress_spill_drained_total"), 500);
}

TEST_F(SpillDrainTest, BringsEverythingOfARecord) {
    const std::vector<record::HeaderView> headers{{"name", "value"}, {"empty", ""}};
    const dedup::Marker marker{crypto::sha256("key"), crypto::sha256("mark")};
    ASSERT_EQ(spilling.take({publish::Topic::quarantine, "k", "v", headers, marker}), Published::spilled);
    EXPECT_TRUE(spilling.confirmed.empty()) << "Kafka does not have it yet";
    spilling.drain();
    const auto kept = spilling.drains_to.kept().front();
    EXPECT_EQ(kept.topic, publish::Topic::quarantine);
    EXPECT_EQ(kept.key, "k");
    EXPECT_EQ(kept.value, "v");
    EXPECT_EQ(kept.headers,
              (std::vector<std::pair<std::string, std::string>>{{"name", "value"}, {"empty", ""}}));
    EXPECT_EQ(spilling.confirmed, std::vector{marker.key});
}

TEST_F(SpillDrainTest, WhatFailsHoldsItsKeyAndNoOther) {
    take("a", "a1");
    take("a", "a2");
    take("b", "b1");
    spilling.drains_to.answer_to("a1", Published::not_acked);
    spilling.drain();
    EXPECT_EQ(spilling.in_kafka(), Values{"b1"});
    EXPECT_TRUE(spilling.confirmed.empty());
    spilling.drains_to.answer_to("a1", Published::stored);
    drain_until_empty();
    EXPECT_EQ(of_key("a"), (Values{"a1", "a2"}));
    EXPECT_EQ(of_key("b"), Values{"b1"});
}

TEST_F(SpillDrainTest, StopsEarlyWhereNothingGetsThrough) {
    for (int i = 0; i < 1'000; ++i) take(std::to_string(i), std::to_string(i));
    spilling.drains_to.answer_with(Published::unavailable);
    spilling.drain();
    EXPECT_EQ(spilling.in_kafka(), Values{});
    EXPECT_EQ(spilling.backlog->records(), 1'000U);
    spilling.drains_to.answer_with(Published::stored);
    drain_until_empty();
    EXPECT_EQ(spilling.in_kafka().size(), 1'000U);
}

TEST_F(SpillDrainTest, TheNextProcessGoesOn) {
    take("a", "a1");
    take("b", "b1");
    spilling.drains_to.answer_to("a1", Published::not_acked);
    spilling.drain();
    restart();
    EXPECT_EQ(spilling.counted("sluice_ingress_spill_broken"), 0);
    EXPECT_TRUE(spilling.backlog->holds(Backlog::bucket_of("a")));
    take("a", "a2");
    spilling.drains_to.answer_to("a1", Published::stored);
    drain_until_empty();
    EXPECT_EQ(of_key("a"), (Values{"a1", "a2"}));
    EXPECT_EQ(of_key("b"), (Values{"b1", "b1"})) << "the inbox knows the second one";
    EXPECT_TRUE(spilling.files().empty());
}

TEST_F(SpillDrainTest, AnEarlierProcessNeedsItsTopic) {
    ASSERT_EQ(spilling.take({publish::Topic::originals, "k", "v", {}, std::nullopt}), Published::spilled);
    EXPECT_FALSE(spilling.needs_originals);
    restart();
    EXPECT_TRUE(spilling.needs_originals);
}

TEST_F(SpillDrainTest, ATornEndIsNothingThatWasAnsweredFor) {
    take("a", "a1");
    take("b", "b1");
    spilling.journal->stop();
    const auto file = spilling.files().front();
    std::filesystem::resize_file(file, std::filesystem::file_size(file) - 1);
    restart();
    drain_until_empty();
    EXPECT_EQ(spilling.in_kafka(), Values{"a1"});
    EXPECT_EQ(spilling.counted("sluice_ingress_spill_damaged_bytes_total"), 0);
    EXPECT_TRUE(spilling.files().empty());
}

TEST_F(SpillDrainTest, DamageCostsNoOtherRecordAndIsKeptForPeople) {
    take("a", "a1");
    take("b", "b1");
    spilling.journal->stop();
    change(spilling.files().front(), head_size + 20, '?');
    restart();
    drain_until_empty();
    EXPECT_EQ(spilling.in_kafka(), Values{"b1"});
    EXPECT_GT(spilling.counted("sluice_ingress_spill_damaged_bytes_total"), 0);
    ASSERT_EQ(spilling.files().size(), 1U);
    EXPECT_EQ(spilling.files().front().filename(), "00000001.spill.damaged");
    restart();
    EXPECT_EQ(spilling.backlog->records(), 0U);
}

TEST_F(SpillDrainTest, DamageAtTheEndIsDamage) {
    take("a", "a1");
    take("b", "b1");
    spilling.journal->stop();
    const auto file = spilling.files().front();
    change(file, std::filesystem::file_size(file) - 1, '?');
    restart();
    drain_until_empty();
    EXPECT_EQ(spilling.in_kafka(), Values{"a1"});
    EXPECT_GT(spilling.counted("sluice_ingress_spill_damaged_bytes_total"), 0);
    EXPECT_EQ(spilling.files().size(), 1U);
}

TEST_F(SpillDrainTest, NoDamagedSegmentReplacesAnother) {
    for (int time = 0; time < 2; ++time) {
        take("a", "a1");
        spilling.journal->stop();
        change(spilling.folder->path_of(spilling.journal->parts().front().number), head_size + 20, '?');
        restart();
        drain_until_empty();
    }
    EXPECT_EQ(spilling.files().size(), 2U);
}

TEST_F(SpillDrainTest, ASegmentWithoutItsHeadIsKeptForPeople) {
    take("a", "a1");
    spilling.journal->stop();
    change(spilling.files().front(), 0, '?');
    restart();
    drain_until_empty();
    EXPECT_EQ(spilling.in_kafka(), Values{});
    EXPECT_GT(spilling.counted("sluice_ingress_spill_damaged_bytes_total"), 0);
    EXPECT_EQ(spilling.files().front().extension(), ".damaged");
}

TEST_F(SpillDrainTest, AnEmptySegmentIsNothing) {
    std::ofstream{spilling.folder->path_of(7)} << "slu";
    restart();
    EXPECT_TRUE(spilling.journal->parts().empty());
    EXPECT_TRUE(spilling.files().empty());
}

TEST_F(SpillDrainTest, AnUnreadableSegmentBreaksTheJournal) {
    take("a", "a1");
    spilling.journal->stop();
    std::filesystem::remove(spilling.files().front());
    spilling.drain();
    EXPECT_EQ(spilling.counted("sluice_ingress_spill_broken"), 1);
}

TEST_F(SpillDrainTest, SegmentsFollowEachOther) {
    const std::string large(900'000, 'x');
    for (int i = 0; i < 40; ++i) take(std::to_string(i), std::to_string(i) + large);
    EXPECT_GE(spilling.files().size(), 2U);
    drain_until_empty();
    EXPECT_EQ(spilling.in_kafka().size(), 40U);
    EXPECT_EQ(spilling.journal->bytes(), 0U);
}

TEST_F(SpillDrainTest, ARecordThatItsTopicDoesNotTakeStays) {
    take("a", "a1");
    spilling.drains_to.answer_to("a1", Published::too_large);
    for (int pass = 0; pass < 3; ++pass) spilling.drain();
    EXPECT_EQ(spilling.backlog->records(), 1U);
    spilling.drains_to.answer_to("a1", Published::stored);
    drain_until_empty();
    EXPECT_EQ(spilling.in_kafka(), Values{"a1"});
}

}  // namespace
}  // namespace sluice::spill
