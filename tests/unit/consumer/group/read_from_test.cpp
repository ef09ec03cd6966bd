#include "consumer/group/read_from.hpp"

#include <gtest/gtest.h>

namespace sluice::consumer {
namespace {

using Because = ReadFrom::Because;

TEST(ReadFrom, GoesOnWhereItWas) {
    EXPECT_EQ(read_from(7, {.start = 3, .end = 9}), (ReadFrom{7, Because::position}));
    EXPECT_EQ(read_from(3, {.start = 3, .end = 9}), (ReadFrom{3, Because::position}));
    EXPECT_EQ(read_from(9, {.start = 3, .end = 9}), (ReadFrom{9, Because::position}))
        << "everything was read";
}

TEST(ReadFrom, ReadsAnUnknownPartitionFromItsBeginning) {
    EXPECT_EQ(read_from(std::nullopt, {.start = 0, .end = 9}), (ReadFrom{0, Because::beginning}));
    EXPECT_EQ(read_from(std::nullopt, {.start = 3, .end = 9}), (ReadFrom{3, Because::beginning}));
}

TEST(ReadFrom, TellsWhatKafkaDroppedFromALogThatEndsEarly) {
    EXPECT_EQ(read_from(2, {.start = 3, .end = 9}), (ReadFrom{3, Because::dropped}));
    EXPECT_EQ(read_from(10, {.start = 3, .end = 9}), (ReadFrom{3, Because::truncated}));
}

TEST(ReadFrom, APositionThatIsRefusedInsideTheLogWasCutOff) {
    const LogBounds log{.start = 3, .end = 9};
    EXPECT_EQ(read_from(7, log, true), (ReadFrom{3, Because::truncated})) << "offset 6 is another record now";
    EXPECT_EQ(read_from(9, log, true), (ReadFrom{3, Because::truncated}));
    EXPECT_EQ(read_from(2, log, true), (ReadFrom{3, Because::dropped}));
    EXPECT_EQ(read_from(3, log, true), (ReadFrom{3, Because::position})) << "offset 2 has expired meanwhile";
}

TEST(AskingRound, NobodyIsAskedForAPartitionWithoutALeader) {
    const AskingRound round{{{0, 1}, {2, 1}}};
    EXPECT_TRUE(round.is_worth_asking(0));
    EXPECT_FALSE(round.is_worth_asking(1));
    EXPECT_TRUE(round.is_worth_asking(2));
}

TEST(AskingRound, ABrokerThatDoesNotAnswerIsAskedOnce) {
    AskingRound round{{{0, 1}, {1, 2}, {2, 1}}};
    round.got_no_answer(0);
    EXPECT_FALSE(round.is_worth_asking(2));
    EXPECT_TRUE(round.is_worth_asking(1)) << "another broker's";
    round.got_no_answer(5);
    EXPECT_TRUE(round.is_worth_asking(1));
}

}  // namespace
}  // namespace sluice::consumer
