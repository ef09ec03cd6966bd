#include "consumer/group/inlet.hpp"

#include <gtest/gtest.h>

#include <future>
#include <thread>

namespace sluice::consumer {
namespace {

const SteadyTime past{};
const auto always = [](int) { return true; };

TEST(Inlet, GivesWhatWasOfferedInOrderAndOnce) {
    Inlet<int> inlet{always};
    inlet.offer(1);
    inlet.offer(2);
    EXPECT_EQ(inlet.take(), (std::vector{1, 2}));
    EXPECT_TRUE(inlet.take().empty());
}

TEST(Inlet, DropsWhatWasOfferedBeforeItsPartitionWasSoughtBack) {
    int generation = 1;
    Inlet<int> inlet{[&](int work) { return work == generation; }};
    inlet.offer(1);
    generation = 2;
    inlet.offer(2);
    EXPECT_EQ(inlet.take(), std::vector{2});
}

TEST(Inlet, ClosesAtOnceWhereNothingIsUnderWay) {
    Inlet<int> inlet{always};
    EXPECT_TRUE(inlet.close(past));
}

TEST(Inlet, DoesNotCallAWorkerQuietThatIsAtWork) {
    Inlet<int> inlet{always};
    const std::stop_source stop;
    ASSERT_TRUE(inlet.begin(stop.get_token()));
    EXPECT_FALSE(inlet.close(past));
    inlet.end();
    EXPECT_TRUE(inlet.close(past));
}

TEST(Inlet, HoldsAWorkerUntilItIsOpened) {
    Inlet<int> inlet{always};
    const std::stop_source stop;
    ASSERT_TRUE(inlet.close(past));
    auto begun = std::async(std::launch::async, [&] { return inlet.begin(stop.get_token()); });
    EXPECT_EQ(begun.wait_for(Milliseconds{0}), std::future_status::timeout);
    inlet.open();
    EXPECT_TRUE(begun.get());
}

TEST(Inlet, LetsAHeldWorkerGoAtAStop) {
    Inlet<int> inlet{always};
    std::stop_source stop;
    ASSERT_TRUE(inlet.close(past));
    auto begun = std::async(std::launch::async, [&] { return inlet.begin(stop.get_token()); });
    stop.request_stop();
    EXPECT_FALSE(begun.get());
}

}  // namespace
}  // namespace sluice::consumer
