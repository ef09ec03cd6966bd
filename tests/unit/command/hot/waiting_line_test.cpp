#include "command/hot/waiting_line.hpp"

#include <gtest/gtest.h>

#include "command/hot/batch_pace.hpp"
#include "command/hot/line_watch.hpp"

namespace sluice::command {
namespace {

using namespace std::chrono_literals;

const WallTime noon{1000s};
const SteadyTime steady_noon{1000s};

Waiting waiting(std::int32_t partition, std::int64_t offset, std::string key = "", WallTime due_at = noon) {
    Waiting one{.partition = partition, .offset = offset, .due_at = due_at};
    one.request.key = {"charge", "ads", key.empty() ? std::to_string(partition * 1000 + offset) : key};
    one.request.accepted_at = due_at;
    return one;
}

std::vector<std::int64_t> offsets(const std::vector<Waiting*>& all) {
    std::vector<std::int64_t> found;
    for (const auto* one : all) found.push_back(one->offset);
    return found;
}

using Offsets = std::vector<std::int64_t>;
using Next = std::map<std::int32_t, std::int64_t>;

TEST(WaitingLine, IsTakenFromTheFront) {
    WaitingLine line;
    for (const std::int64_t offset : {5, 6, 7}) line.add(waiting(0, offset));
    EXPECT_EQ(offsets(line.due(noon, steady_noon, 2)), (Offsets{5, 6}));
    EXPECT_EQ(line.size(0), 3U);
}

TEST(WaitingLine, WhatIsSettledInFrontIsForgotten) {
    WaitingLine line;
    for (const std::int64_t offset : {5, 6, 7}) line.add(waiting(0, offset));
    line.due(noon, steady_noon, 3)[1]->is_settled = true;
    EXPECT_EQ(line.take_settled(), Next{}) << "the first is not settled";
    EXPECT_EQ(offsets(line.due(noon, steady_noon, 3)), (Offsets{5, 7}));
    line.due(noon, steady_noon, 1)[0]->is_settled = true;
    EXPECT_EQ(line.take_settled(), (Next{{0, 7}}));
    EXPECT_FALSE(line.empty());
}

TEST(WaitingLine, WhatIsNotDueHoldsThoseBehindIt) {
    WaitingLine line;
    line.add(waiting(0, 1, "", noon + 1s));
    line.add(waiting(0, 2));
    line.add(waiting(1, 1));
    EXPECT_EQ(line.due(noon, steady_noon, 10).size(), 1U) << "the other partition's";
    EXPECT_EQ(line.due(noon + 1s, steady_noon, 10).size(), 3U);
    EXPECT_EQ(line.oldest(), noon);
}

TEST(WaitingLine, EachCommandIsLateByWhatStandsInFront) {
    WaitingLine line;
    EXPECT_TRUE(line.due_in_front().empty());
    const auto add = [&](std::int32_t partition, std::int64_t offset, const char* command, WallTime due_at) {
        auto one = waiting(partition, offset, "", due_at);
        one.request.key.command = command;
        line.add(std::move(one));
    };
    add(0, 1, "later", noon + 1h);
    add(0, 2, "charge", noon - 9min);
    add(1, 1, "charge", noon - 2min);
    add(1, 2, "charge", noon - 1min);
    add(2, 1, "charge", noon - 5min);
    add(3, 1, "later", noon - 1min);
    const std::map<std::string, WallTime> due{{"charge", noon - 5min}, {"later", noon - 1min}};
    EXPECT_EQ(line.due_in_front(), due) << "of charge, the one behind a delay waits for that";
}

TEST(WaitingLine, APartitionThatRestsHoldsNoOther) {
    WaitingLine line;
    line.add(waiting(0, 1));
    line.add(waiting(1, 2));
    line.rest(0, steady_noon + 1s);
    EXPECT_EQ(offsets(line.due(noon, steady_noon, 10)), (Offsets{2}));
    EXPECT_EQ(line.due(noon, steady_noon + 1s, 10).size(), 2U);
}

TEST(WaitingLine, AKeyIsInABatchOnce) {
    WaitingLine line;
    line.add(waiting(0, 1, "k"));
    line.add(waiting(0, 2, "k"));
    line.add(waiting(0, 3));
    EXPECT_EQ(offsets(line.due(noon, steady_noon, 10)), (Offsets{1}));
}

TEST(WaitingLine, ABatchIsFullWhereThatManyAreDueInOnePartition) {
    WaitingLine line;
    for (const std::int64_t offset : {0, 1}) line.add(waiting(0, offset));
    line.add(waiting(1, 20));
    EXPECT_TRUE(line.fills_a_batch(noon, steady_noon, 2));
    EXPECT_FALSE(line.fills_a_batch(noon, steady_noon, 3))
        << "another partition's fills no batch of this one";
    line.add(waiting(0, 2, "", noon + 1s));
    EXPECT_FALSE(line.fills_a_batch(noon, steady_noon, 3)) << "the third is not due";
    EXPECT_TRUE(line.fills_a_batch(noon + 1s, steady_noon, 3));
    line.rest(0, steady_noon + 1s);
    EXPECT_FALSE(line.fills_a_batch(noon, steady_noon, 2)) << "it is tried again later";
}

TEST(WaitingLine, WhatIsNotDueInFrontLetsNoBatchBeFull) {
    WaitingLine line;
    line.add(waiting(0, 1, "", noon + 1h));
    for (const std::int64_t offset : {2, 3, 4}) line.add(waiting(0, offset));
    EXPECT_FALSE(line.fills_a_batch(noon, steady_noon, 1)) << "it holds those behind it";
    EXPECT_FALSE(line.fills_a_batch(noon, steady_noon, 3));
    EXPECT_TRUE(line.fills_a_batch(noon + 1h, steady_noon, 3));
}

TEST(BatchPace, FullBatchesDoNotWaitAndSmallOnesWaitForMore) {
    BatchPace pace;
    EXPECT_TRUE(pace.is_time(steady_noon, false)) << "whoever comes after a calm is booked at once";
    EXPECT_EQ(pace.left(steady_noon + 30ms), 70ms);
    EXPECT_FALSE(pace.is_time(steady_noon + 99ms, false));
    EXPECT_TRUE(pace.is_time(steady_noon + 99ms, true));
    EXPECT_FALSE(pace.is_time(steady_noon + 198ms, false)) << "the full one was a batch as well";
    EXPECT_TRUE(pace.is_time(steady_noon + 199ms, false));
    EXPECT_EQ(pace.left(steady_noon + 1h), 0ms);
}

TEST(WaitingLine, NoPartitionWaitsForAnother) {
    WaitingLine line;
    for (std::int64_t offset = 0; offset < 10; ++offset) line.add(waiting(0, offset));
    line.add(waiting(1, 20));
    EXPECT_EQ(offsets(line.due(noon, steady_noon, 3)), (Offsets{0, 1, 2, 20}));
}

TEST(WaitingLine, ARecordThatIsReadAgainStandsThereOnce) {
    WaitingLine line;
    line.add(waiting(0, 1));
    line.add(waiting(0, 2));
    line.add(waiting(0, 1));
    EXPECT_EQ(line.size(0), 2U);
    line.clear();
    EXPECT_TRUE(line.empty());
    EXPECT_FALSE(line.oldest());
}

TEST(WaitingLine, OffsetsThatBeginAgainAreNewRecords) {
    WaitingLine line;
    line.add(waiting(0, 100));
    line.begin_again(0);
    line.add(waiting(0, 90));
    line.add(waiting(0, 90));
    EXPECT_EQ(offsets(line.due(noon, steady_noon, 10)), (Offsets{100, 90}));
}

TEST(WaitingLine, AnOffsetOfALogThatWasCutIsCommittedNoMore) {
    WaitingLine line;
    line.add(waiting(0, 100));
    line.begin_again(0);
    for (Waiting* one : line.due(noon, steady_noon, 10)) one->is_settled = true;
    EXPECT_TRUE(line.take_settled().empty());
    line.add(waiting(0, 7));
    for (Waiting* one : line.due(noon, steady_noon, 10)) one->is_settled = true;
    EXPECT_EQ(line.take_settled().at(0), 8);
}

TEST(LineWatch, AllThatStoodThereIsBooked) {
    EXPECT_TRUE(has_passed({{0, 5}, {1, 9}}, {{0, 5}, {1, 8}, {2, 0}}));
    EXPECT_FALSE(has_passed({{0, 4}}, {{0, 5}}));
    EXPECT_FALSE(has_passed({}, {{0, 5}})) << "nobody has booked anything";
    EXPECT_TRUE(has_passed({}, {{0, 0}})) << "nothing was ever there";
}

}  // namespace
}  // namespace sluice::command
