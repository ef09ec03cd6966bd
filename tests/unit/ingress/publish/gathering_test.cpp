#include "ingress/publish/gathering.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <vector>

namespace sluice::publish {
namespace {

TEST(Gathering, LoneRecordLeavesAtOnce) {
    const Gathering gathering;
    EXPECT_TRUE(gathering.leaves_at_once());
}

TEST(Gathering, FewLeaveWhileOthersAreOutstanding) {
    Gathering gathering;
    for (std::size_t i = 0; i < Gathering::most_apart; ++i) {
        EXPECT_TRUE(gathering.leaves_at_once()) << i;
        gathering.left();
    }
    EXPECT_FALSE(gathering.leaves_at_once());
    ASSERT_EQ(gathering.settled(1), 0U);
    EXPECT_TRUE(gathering.leaves_at_once());
}

TEST(Gathering, NothingLeavesPastWhatIsGathered) {
    Gathering gathering;
    for (std::size_t i = 0; i < Gathering::most_apart; ++i) gathering.left();
    gathering.gathered();
    ASSERT_EQ(gathering.settled(1), 0U) << "the others are outstanding";
    EXPECT_FALSE(gathering.leaves_at_once());
}

TEST(Gathering, AllLeaveWithTheLastAcknowledgement) {
    Gathering gathering;
    gathering.left();
    for (int i = 0; i < 3; ++i) gathering.gathered();
    EXPECT_EQ(gathering.settled(1), 3U);
    EXPECT_EQ(gathering.outstanding(), 3U);
    gathering.gathered();
    EXPECT_EQ(gathering.settled(2), 0U) << "one of the batch is still outstanding";
    EXPECT_EQ(gathering.settled(1), 1U);
}

TEST(Gathering, WithdrawnRecordsDoNotHoldTheOthersUp) {
    Gathering gathering;
    gathering.left();
    gathering.gathered();
    ASSERT_EQ(gathering.settled(1), 1U);
    gathering.withdrawn();
    EXPECT_TRUE(gathering.leaves_at_once());
}

/// A partition with its queue, driven at random.
class Simulation {
public:
    explicit Simulation(std::uint32_t seed) : random_{seed} {}

    void offer() {
        if (gathering_.leaves_at_once()) {
            EXPECT_TRUE(waiting_.empty()) << "a record went past gathered ones";
            gathering_.left();
            leave(next_++);
        } else {
            gathering_.gathered();
            waiting_.push_back(next_++);
        }
    }

    void acknowledge_some() {
        if (unacknowledged_ == 0) return;
        const std::size_t count = 1 + random_() % unacknowledged_;
        unacknowledged_ -= count;
        for (std::size_t leaving = gathering_.settled(count); leaving > 0; --leaving) {
            leave(waiting_.front());
            waiting_.pop_front();
        }
    }

    void run(int steps) {
        for (int i = 0; i < steps; ++i) random_() % 3 == 0 ? acknowledge_some() : offer();
        while (unacknowledged_ > 0) acknowledge_some();
    }

    void expect_all_in_order() const {
        EXPECT_TRUE(waiting_.empty()) << "stranded";
        ASSERT_EQ(sent_.size(), static_cast<std::size_t>(next_));
        for (std::size_t i = 0; i < sent_.size(); ++i) ASSERT_EQ(sent_[i], static_cast<int>(i));
    }

private:
    void leave(int record) {
        sent_.push_back(record);
        ++unacknowledged_;
    }

    std::mt19937 random_;
    Gathering gathering_;
    std::deque<int> waiting_;
    std::vector<int> sent_;
    std::size_t unacknowledged_ = 0;
    int next_ = 0;
};

TEST(Gathering, KeepsTheOrderAndStrandsNothing) {
    for (std::uint32_t seed = 0; seed < 500; ++seed) {
        Simulation simulation{seed};
        simulation.run(200);
        simulation.expect_all_in_order();
        if (testing::Test::HasFailure()) FAIL() << "seed " << seed;
    }
}

}  // namespace
}  // namespace sluice::publish
