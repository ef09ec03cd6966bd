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
    failed.failures.attempts = 3;
    failed.failures.first = tried_at + Milliseconds{1};
    failed.failures.lost_locks = 2;
    failed.failures.troubled = {1, "credit"};
    tries.keep(failed);
    Item again = tried_event(7, 2);
    tries.give_back(again);
    EXPECT_EQ(again.failures.troubled.times, 1);
    EXPECT_EQ(again.failures.troubled.effect, "credit");
    EXPECT_EQ(again.failures.attempts, 3);
    EXPECT_EQ(again.failures.first, failed.failures.first);
    EXPECT_EQ(again.failures.lost_locks, 2);
    Item other = tried_event(8, 2);
    tries.give_back(other);
    EXPECT_EQ(other.failures.attempts, 0);
}

TEST(Tries, RememberWhatOnlyEndedASession) {
    Tries tries;
    Item ended = tried_event(7, 1);
    ended.failures.troubled.times = 2;
    tries.keep(ended);
    Item again = tried_event(7, 2);
    tries.give_back(again);
    EXPECT_EQ(again.failures.troubled.times, 2);
}

TEST(Tries, AreNotGivenToAnotherRecordAtThatOffset) {
    Tries tries;
    Item failed = tried_event(7, 1);
    failed.failures.lost_locks = 1;
    failed.record.leader_epoch = 3;
    tries.keep(failed);
    Item other = tried_event(7, 2);
    other.record.leader_epoch = 4;
    tries.give_back(other);
    EXPECT_EQ(other.failures.lost_locks, 0);
}

TEST(Tries, AreGivenBackOnce) {
    Tries tries;
    Item failed = tried_event(7, 1);
    failed.failures.lost_locks = 1;
    tries.keep(failed);
    Item again = tried_event(7, 2);
    tries.give_back(again);
    Item later = tried_event(7, 3);
    tries.give_back(later);
    EXPECT_EQ(later.failures.lost_locks, 0);
}

TEST(Tries, FiveThousandAtMostAreKept) {
    Tries tries;
    for (int offset = 0; offset <= 5000; ++offset) {
        Item failed = tried_event(offset, 1);
        failed.failures.lost_locks = 1;
        tries.keep(failed);
    }
    Item first = tried_event(0, 2);
    tries.give_back(first);
    EXPECT_EQ(first.failures.lost_locks, 0);
    Item last = tried_event(5000, 2);
    tries.give_back(last);
    EXPECT_EQ(last.failures.lost_locks, 1);
}

}  // namespace
}  // namespace sluice::consumer
