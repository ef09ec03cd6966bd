#include "command/execute/job_queue.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "command/execute/told_once.hpp"

namespace sluice::command {
namespace {

constexpr SteadyTime at_once{};
const crypto::Digest one = crypto::sha256("1");
const crypto::Digest two = crypto::sha256("2");

class JobQueueTest : public testing::Test {
protected:
    bool push(std::optional<crypto::Digest> key, int name) {
        Job job{.key = key,
                .since = WallTime{std::chrono::microseconds{name}},
                .work = [](Worker&) {},
                .turn_away = [this, name] { turned_away.push_back(name); }};
        return queue.push(job);
    }
    bool push_shareable(const crypto::Digest& key, int name) {
        Job job{.key = key,
                .since = WallTime{std::chrono::microseconds{name}},
                .work = [](Worker&) {},
                .turn_away = [this, name] { turned_away.push_back(name); },
                .shareable = Shareable{}};
        return queue.push(job);
    }
    static std::vector<std::int64_t> names_of(const std::vector<Job>& jobs) {
        std::vector<std::int64_t> names;
        for (const Job& job : jobs) names.push_back(job.since.time_since_epoch().count());
        return names;
    }
    std::optional<Job> pop() { return queue.pop(at_once, at_once); }
    std::int64_t name_of_next() { return pop()->since.time_since_epoch().count(); }

    JobQueue queue{3};
    std::vector<int> turned_away;
};

TEST_F(JobQueueTest, TakesSoManyAndNoMore) {
    EXPECT_TRUE(push(std::nullopt, 1));
    EXPECT_TRUE(push(std::nullopt, 2));
    EXPECT_TRUE(push(std::nullopt, 3));
    EXPECT_FALSE(push(std::nullopt, 4));
    EXPECT_EQ(name_of_next(), 1);
    EXPECT_TRUE(push(std::nullopt, 4));
    EXPECT_EQ(name_of_next(), 2);
}

TEST_F(JobQueueTest, OneOfAKeyAtATime) {
    EXPECT_TRUE(push(one, 1));
    EXPECT_TRUE(push(one, 2));
    EXPECT_TRUE(push(two, 3));
    const auto first = pop();
    EXPECT_EQ(name_of_next(), 3) << "the second of the key waits";
    EXPECT_FALSE(pop());
    queue.ended(*first);
    EXPECT_EQ(name_of_next(), 2);
}

TEST_F(JobQueueTest, KnowsSinceWhenAKeyIsThere) {
    EXPECT_FALSE(queue.since(one));
    EXPECT_TRUE(push(one, 5));
    EXPECT_EQ(queue.since(one)->time_since_epoch().count(), 5);
    const auto job = pop();
    EXPECT_TRUE(queue.since(one)) << "at work";
    queue.ended(*job);
    EXPECT_FALSE(queue.since(one));
}

TEST_F(JobQueueTest, TurnsAwayWhatWaitsWhenItCloses) {
    EXPECT_TRUE(push(one, 1));
    EXPECT_TRUE(push(two, 2));
    const auto at_work = pop();
    queue.close();
    EXPECT_EQ(turned_away, std::vector{2});
    EXPECT_FALSE(push(one, 3));
    EXPECT_FALSE(pop());
    EXPECT_TRUE(queue.is_closed());
}

TEST_F(JobQueueTest, GivesWhatCanBeSharedOneOfEachKey) {
    EXPECT_TRUE(push_shareable(one, 1));
    EXPECT_TRUE(push(std::nullopt, 2));
    EXPECT_TRUE(push_shareable(one, 3));
    const auto first = queue.pop_shareable(10);
    EXPECT_EQ(names_of(first), std::vector<std::int64_t>{1});
    EXPECT_TRUE(push_shareable(two, 4));
    EXPECT_TRUE(queue.pop_shareable(0).empty());
    EXPECT_EQ(names_of(queue.pop_shareable(10)), std::vector<std::int64_t>{4}) << "the key of 3 is at work";
    EXPECT_EQ(name_of_next(), 2);
    queue.ended(first.front());
    EXPECT_EQ(name_of_next(), 3);
}

TEST_F(JobQueueTest, WhatIsPutBackGoesAloneAndFirst) {
    EXPECT_TRUE(push_shareable(one, 1));
    EXPECT_TRUE(push_shareable(two, 2));
    auto jobs = queue.pop_shareable(10);
    EXPECT_TRUE(push(std::nullopt, 3));
    EXPECT_TRUE(queue.put_back_alone(jobs));
    EXPECT_TRUE(queue.pop_shareable(10).empty());
    EXPECT_TRUE(queue.since(one));
    EXPECT_EQ(name_of_next(), 1);
    EXPECT_EQ(name_of_next(), 2);
    EXPECT_EQ(name_of_next(), 3);
}

TEST_F(JobQueueTest, TakesNothingBackOnceItIsClosed) {
    EXPECT_TRUE(push_shareable(one, 1));
    auto jobs = queue.pop_shareable(10);
    queue.close();
    EXPECT_FALSE(queue.put_back_alone(jobs));
    EXPECT_EQ(jobs.size(), 1);
    EXPECT_EQ(turned_away, std::vector<int>{});
}

TEST(ToldOnce, TellsWhoeverIsFirst) {
    std::vector<int> said;
    ToldOnce<int> caller{[&said](int word) { said.push_back(word); }};
    EXPECT_TRUE(caller.tell(1));
    EXPECT_FALSE(caller.tell(2));
    EXPECT_EQ(said, std::vector{1});
}

}  // namespace
}  // namespace sluice::command
