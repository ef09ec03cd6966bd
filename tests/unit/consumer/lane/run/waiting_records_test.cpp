#include "consumer/lane/run/waiting_records.hpp"

#include <gtest/gtest.h>

namespace sluice::consumer {
namespace {

using namespace std::chrono_literals;

constexpr SteadyTime start{1000s};

Record record(std::int64_t offset) {
    return {.at = {0, offset, 1}, .key = {}, .value = {}, .headers = {}, .owner = {}};
}

class WaitingRecordsTest : public testing::Test {
protected:
    /// Of the one whose turn it is; -1: none.
    std::int64_t take(SteadyTime now = start) {
        const auto taken = waiting.take_next(now);
        return taken ? taken->record.at.offset : -1;
    }

    Random random{1};
    std::int64_t held = -1;
    WaitingRecords waiting{random, [this](const Record& record) { return record.at.offset == held; }};
};

TEST_F(WaitingRecordsTest, GetTheirTurnsInOrder) {
    waiting.add(record(1));
    waiting.add(record(2));
    EXPECT_EQ(waiting.next_due(), SteadyTime{});
    EXPECT_EQ(take(), 1);
    EXPECT_EQ(take(), 2);
    EXPECT_EQ(take(), -1);
    EXPECT_TRUE(waiting.empty());
    EXPECT_EQ(waiting.next_due(), std::nullopt);
}

TEST_F(WaitingRecordsTest, GoBehindTheOthersWhenPutOff) {
    waiting.add(record(1));
    waiting.add(record(2));
    waiting.put_off(*waiting.take_next(start), start);
    EXPECT_EQ(take(), 2);
    EXPECT_EQ(take(), -1) << "its time has not come";
    EXPECT_EQ(take(start + 5ms), 1);
}

TEST_F(WaitingRecordsTest, WaitLongerEachTime) {
    waiting.add(record(1));
    SteadyTime now = start;
    for (int times = 0; times < 20; ++times) {
        waiting.put_off(*waiting.take_next(now), now);
        EXPECT_LE(*waiting.next_due(), now + 1s);
        now = *waiting.next_due();
    }
    waiting.put_off(*waiting.take_next(now), now);
    EXPECT_GE(*waiting.next_due(), now + 750ms);
}

TEST_F(WaitingRecordsTest, GetNoTurnWhileHeld) {
    waiting.add(record(1));
    waiting.add(record(2));
    held = 1;
    EXPECT_EQ(take(), 2);
    EXPECT_EQ(take(), -1);
    EXPECT_EQ(waiting.next_due(), std::nullopt);
    held = -1;
    EXPECT_EQ(take(), 1);
}

TEST_F(WaitingRecordsTest, AreDroppedWhenStale) {
    waiting.add(record(1));
    waiting.add(record(2));
    waiting.drop_if([](const Record& one) { return one.at.offset == 1; });
    EXPECT_EQ(take(), 2);
    EXPECT_TRUE(waiting.empty());
}

}  // namespace
}  // namespace sluice::consumer
