#include "consumer/retry_role/due_queue.hpp"

#include <gtest/gtest.h>

namespace sluice::consumer {
namespace {

using namespace std::chrono_literals;

constexpr SteadyTime start{1000s};
constexpr Place five_seconds{3, 0};
constexpr Place an_hour{3, 4};

Record record(Place place, std::int64_t offset) {
    return {
        .at = {place.partition, offset, 1, place.topic}, .key = {}, .value = {}, .headers = {}, .owner = {}};
}

TEST(DueQueue, GivesARecordOnceItIsDue) {
    DueQueue queue;
    queue.keep(record(five_seconds, 11), start + 5s);
    EXPECT_TRUE(queue.take_due(start + 5s - 1us).empty());
    EXPECT_TRUE(queue.is_kept(five_seconds));
    const auto due = queue.take_due(start + 5s);
    ASSERT_EQ(due.size(), 1U);
    EXPECT_EQ(due[0].place, five_seconds);
    EXPECT_EQ(due[0].records.at(0).at.offset, 11);
    EXPECT_FALSE(queue.is_kept(five_seconds));
    EXPECT_EQ(queue.next(), std::nullopt);
}

TEST(DueQueue, DoesNotLetOnePartitionWaitForAnother) {
    DueQueue queue;
    queue.keep(record(an_hour, 1), start + 1h);
    queue.keep(record(five_seconds, 1), start + 5s);
    EXPECT_EQ(queue.next(), start + 5s);
    EXPECT_EQ(queue.take_due(start + 5s).size(), 1U);
    EXPECT_EQ(queue.next(), start + 1h);
    EXPECT_TRUE(queue.is_kept(an_hour));
}

TEST(DueQueue, GivesTheLongestDueFirst) {
    DueQueue queue;
    queue.keep(record(five_seconds, 1), start + 2s);
    queue.keep(record(an_hour, 1), start + 1s);
    const auto due = queue.take_due(start + 5s);
    ASSERT_EQ(due.size(), 2U);
    EXPECT_EQ(due[0].place, an_hour);
}

TEST(DueQueue, KeepsASecondRecordOfAPlaceInOrderAndNotLonger) {
    DueQueue queue;
    queue.keep(record(five_seconds, 1), start + 5s);
    queue.keep(record(five_seconds, 2), start + 3s);
    const auto due = queue.take_due(start + 3s);
    ASSERT_EQ(due.size(), 1U);
    ASSERT_EQ(due[0].records.size(), 2U);
    EXPECT_EQ(due[0].records[0].at.offset, 1);
    EXPECT_EQ(due[0].records[1].at.offset, 2);
}

TEST(DueQueue, ForgetsWhatIsNotOursAnyMore) {
    DueQueue queue;
    queue.keep(record(five_seconds, 1), start);
    queue.clear();
    EXPECT_TRUE(queue.take_due(start).empty());
}

TEST(DueQueue, LetsAPollWaitUntilTheNextIsDue) {
    EXPECT_EQ(poll_wait(std::nullopt, start, 50ms), 50ms);
    EXPECT_EQ(poll_wait(start + 1h, start, 50ms), 50ms);
    EXPECT_EQ(poll_wait(start + 20ms, start, 50ms), 20ms);
    EXPECT_EQ(poll_wait(start - 1s, start, 50ms), 0ms);
    EXPECT_EQ(poll_wait(start + 1us, start, 50ms), 1ms) << "0 would poll in a circle until it is due";
}

TEST(DueQueue, HoldsARecordNoLongerThanItsTiersDelay) {
    constexpr WallTime wall = std::chrono::sys_days{std::chrono::year{2026} / 11 / 22};
    EXPECT_EQ(hold_until(wall + 3s, 5s, wall, start), start + 3s);
    EXPECT_EQ(hold_until(wall - 3s, 5s, wall, start), start);
    EXPECT_EQ(hold_until(wall + 365 * 24h, 5s, wall, start), start + 5s) << "a clock somewhere is wrong";
}

}  // namespace
}  // namespace sluice::consumer
