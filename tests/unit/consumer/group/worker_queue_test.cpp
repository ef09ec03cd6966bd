#include "consumer/group/worker_queue.hpp"

#include <gtest/gtest.h>

#include <future>
#include <thread>

namespace sluice::consumer {
namespace {

const SteadyTime past{};
const auto always = [](int) { return true; };

TEST(WorkerQueue, GivesWhatWasOfferedInOrderAndOnce) {
    WorkerQueue<int> queue{always};
    queue.offer({1, 2});
    queue.offer({});
    queue.offer({3});
    EXPECT_EQ(queue.take(), (std::list{1, 2, 3}));
    EXPECT_TRUE(queue.take().empty());
}

TEST(WorkerQueue, DropsWhatWasOfferedBeforeItsPartitionWasSoughtBack) {
    int generation = 1;
    WorkerQueue<int> queue{[&](int work) { return work == generation; }};
    queue.offer({1});
    generation = 2;
    queue.offer({2});
    EXPECT_EQ(queue.take(), std::list{2});
}

TEST(WorkerQueue, ClosesAtOnceWhereNothingIsUnderWay) {
    WorkerQueue<int> queue{always};
    EXPECT_TRUE(queue.close(past));
}

TEST(WorkerQueue, DoesNotCallAWorkerQuietThatIsAtWork) {
    WorkerQueue<int> queue{always};
    const std::stop_source stop;
    ASSERT_TRUE(queue.begin(stop.get_token()));
    EXPECT_FALSE(queue.close(past));
    queue.end();
    EXPECT_TRUE(queue.close(past));
}

TEST(WorkerQueue, HoldsAWorkerUntilItIsOpened) {
    WorkerQueue<int> queue{always};
    const std::stop_source stop;
    ASSERT_TRUE(queue.close(past));
    auto begun = std::async(std::launch::async, [&] { return queue.begin(stop.get_token()); });
    EXPECT_EQ(begun.wait_for(Milliseconds{0}), std::future_status::timeout);
    queue.open();
    EXPECT_TRUE(begun.get());
}

TEST(WorkerQueue, LetsAHeldWorkerGoAtAStop) {
    WorkerQueue<int> queue{always};
    std::stop_source stop;
    ASSERT_TRUE(queue.close(past));
    auto begun = std::async(std::launch::async, [&] { return queue.begin(stop.get_token()); });
    stop.request_stop();
    EXPECT_FALSE(begun.get());
}

}  // namespace
}  // namespace sluice::consumer
