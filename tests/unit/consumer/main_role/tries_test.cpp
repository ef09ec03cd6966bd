#include "consumer/main_role/tries.hpp"

#include <gtest/gtest.h>

namespace sluice::consumer {
namespace {

const SteadyTime tried_at{};

Item tried_event(std::int64_t offset, std::uint64_t generation) {
    Item item;
    item.record.at = {0, offset, generation};
    return item;
}

TEST(Tries, AnEventThatIsReadAgainIsAsOftenTriedAsBefore) {
    Tries tries;
    Item failed = tried_event(7, 1);
    failed.attempts = 3;
    failed.first_failed = tried_at + Milliseconds{1};
    failed.lost_locks = 2;
    failed.troubled = {1, "credit"};
    tries.keep(failed);
    Item again = tried_event(7, 2);
    tries.give_back(again);
    EXPECT_EQ(again.troubled.times, 1);
    EXPECT_EQ(again.troubled.effect, "credit");
    EXPECT_EQ(again.attempts, 3);
    EXPECT_EQ(again.first_failed, failed.first_failed);
    EXPECT_EQ(again.lost_locks, 2);
    Item other = tried_event(8, 2);
    tries.give_back(other);
    EXPECT_EQ(other.attempts, 0);
}

TEST(Tries, RememberWhatOnlyEndedASession) {
    Tries tries;
    Item ended = tried_event(7, 1);
    ended.troubled.times = 2;
    tries.keep(ended);
    Item again = tried_event(7, 2);
    tries.give_back(again);
    EXPECT_EQ(again.troubled.times, 2);
}

TEST(Tries, AreNotGivenToAnotherRecordAtThatOffset) {
    Tries tries;
    Item failed = tried_event(7, 1);
    failed.lost_locks = 1;
    failed.record.leader_epoch = 3;
    tries.keep(failed);
    Item other = tried_event(7, 2);
    other.record.leader_epoch = 4;
    tries.give_back(other);
    EXPECT_EQ(other.lost_locks, 0);
}

TEST(Tries, AreGivenBackOnce) {
    Tries tries;
    Item failed = tried_event(7, 1);
    failed.lost_locks = 1;
    tries.keep(failed);
    Item again = tried_event(7, 2);
    tries.give_back(again);
    Item later = tried_event(7, 3);
    tries.give_back(later);
    EXPECT_EQ(later.lost_locks, 0);
}

TEST(Tries, FiveThousandAtMostAreKept) {
    Tries tries;
    for (int offset = 0; offset <= 5000; ++offset) {
        Item failed = tried_event(offset, 1);
        failed.lost_locks = 1;
        tries.keep(failed);
    }
    Item first = tried_event(0, 2);
    tries.give_back(first);
    EXPECT_EQ(first.lost_locks, 0);
    Item last = tried_event(5000, 2);
    tries.give_back(last);
    EXPECT_EQ(last.lost_locks, 1);
}

}  // namespace
}  // namespace sluice::consumer
