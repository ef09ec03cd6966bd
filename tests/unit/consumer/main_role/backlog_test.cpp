#include "consumer/main_role/backlog.hpp"

#include <map>
#include <random>
#include <set>

#include <gtest/gtest.h>

namespace sluice::consumer {
namespace {

using namespace std::chrono_literals;

const SteadyTime t0{};

Item event(std::string_view key, std::int64_t offset, std::uint64_t generation = 1) {
    Item item;
    auto owner = std::make_shared<std::string>(key);
    item.record.key = *owner;
    item.record.owner = owner;
    item.record.at = {0, offset, generation};
    return item;
}

std::vector<std::int64_t> offsets(const Items& items) {
    std::vector<std::int64_t> list;
    for (const Item& item : items) list.push_back(item.record.at.offset);
    return list;
}

class BacklogTest : public testing::Test {
protected:
    void arrive(std::string_view key, std::int64_t offset) { backlog.push({event(key, offset)}); }
    std::vector<std::int64_t> batch(std::size_t most = 100) { return offsets(backlog.take_batch(most)); }
    std::int64_t alone(SteadyTime now) {
        const auto item = backlog.take_alone(now);
        return item ? item->record.at.offset : -1;
    }
    Backlog backlog;
};

TEST_F(BacklogTest, HealthyObjectsLeaveTogetherEachInOrder) {
    arrive("a", 1);
    arrive("b", 2);
    arrive("a", 3);
    EXPECT_EQ(batch(), (std::vector<std::int64_t>{1, 3, 2}));
    EXPECT_TRUE(backlog.empty());
}

TEST_F(BacklogTest, ABatchIsBounded) {
    for (int o = 0; o < 5; ++o) arrive("a", o);
    EXPECT_EQ(batch(2), (std::vector<std::int64_t>{0, 1}));
    EXPECT_EQ(batch(9), (std::vector<std::int64_t>{2, 3, 4}));
}

TEST_F(BacklogTest, AHeldEventKeepsItsFollowersAndNobodyElse) {
    arrive("a", 1);
    arrive("a", 2);
    arrive("b", 3);
    auto taken = backlog.take_batch(1);
    backlog.hold(std::move(taken.front()), t0 + 10ms);
    EXPECT_EQ(batch(), (std::vector<std::int64_t>{3}));
    EXPECT_EQ(alone(t0), -1);
    EXPECT_EQ(backlog.next_due(), t0 + 10ms);
    EXPECT_EQ(alone(t0 + 10ms), 1);
}

TEST_F(BacklogTest, FollowersOfAHeldEventGoOnAfterIt) {
    arrive("a", 1);
    arrive("a", 2);
    auto taken = backlog.take_batch(1);
    backlog.hold(std::move(taken.front()), t0);
    auto again = backlog.take_alone(t0);
    ASSERT_TRUE(again);
    backlog.finished(again->record);
    EXPECT_EQ(batch(), (std::vector<std::int64_t>{2})) << "the object is healthy again";
}

TEST_F(BacklogTest, WhatIsPutBackKeepsItsPlace) {
    for (int o : {1, 2, 3}) arrive("a", o);
    auto taken = backlog.take_batch(2);
    taken.reverse();
    backlog.push(std::move(taken));
    EXPECT_EQ(batch(), (std::vector<std::int64_t>{1, 2, 3}));
}

TEST_F(BacklogTest, RecordsWithoutAKeyAreObjectsOfTheirOwn) {
    arrive("", 1);
    arrive("", 2);
    auto taken = backlog.take_batch(1);
    backlog.hold(std::move(taken.front()), t0 + 1h);
    EXPECT_EQ(batch(), (std::vector<std::int64_t>{2}));
}

TEST_F(BacklogTest, ForgetsWhatIsStale) {
    backlog.push({event("a", 1, 1)});
    backlog.push({event("a", 2, 2)});
    backlog.push({event("b", 3, 1)});
    auto taken = backlog.take_batch(1);
    backlog.hold(std::move(taken.front()), t0 + 1h);
    backlog.drop_if([](const Item& item) { return item.record.at.generation == 1; });
    EXPECT_EQ(alone(t0 + 1h), 2);
    EXPECT_TRUE(batch().empty());
}

TEST_F(BacklogTest, TroubledObjectsTakeTurns) {
    for (int o : {1, 2}) arrive("a", o);
    for (int o : {11, 12}) arrive("b", o);
    for (auto& item : backlog.take_batch(10)) backlog.hold(std::move(item), t0);
    EXPECT_EQ(alone(t0), 1);
    EXPECT_EQ(alone(t0), 11);
    EXPECT_EQ(alone(t0), 2);
    EXPECT_EQ(alone(t0), 12);
}

// An event runs only when every earlier one of its object is finished, and nothing is ever left behind.
TEST_F(BacklogTest, KeepsEachObjectsOrderWhateverHappens) {
    for (unsigned seed = 0; seed < 300; ++seed) {
        std::mt19937 random{seed};
        Backlog box;
        std::map<std::string, std::set<std::int64_t>> open;  // object -> offsets
        std::int64_t next = 0;
        SteadyTime now = t0;
        int left_to_push = 40;
        const auto run = [&](Item item) {
            const std::string object{item.record.key};
            const auto offset = item.record.at.offset;
            ASSERT_EQ(*open[object].begin(), offset) << "seed " << seed;
            if (random() % 3 == 0) {
                box.hold(std::move(item), now + 1ms * (random() % 20));
                return;
            }
            open[object].erase(offset);
            box.finished(item.record);
        };
        for (int step = 0; step < 4000 && (left_to_push > 0 || !box.empty()); ++step) {
            now += 1ms;
            if (left_to_push > 0 && random() % 2 == 0) {
                const std::string key{static_cast<char>('a' + random() % 3)};
                open[key].insert(next);
                box.push({event(key, next++)});
                --left_to_push;
            }
            // A batch stands for events that all run and finish together, but for its last one.
            auto batch = box.take_batch(1 + random() % 4);
            while (!batch.empty()) {
                Item item = std::move(batch.front());
                batch.erase(batch.begin());
                const std::string object{item.record.key};
                run(std::move(item));
                if (open[object].empty() || batch.empty()) continue;
                Items later;
                std::erase_if(batch, [&](Item& other) {
                    if (other.record.key != object) return false;
                    later.push_back(std::move(other));
                    return true;
                });
                box.push(std::move(later));
            }
            if (auto item = box.take_alone(now)) run(std::move(*item));
        }
        ASSERT_TRUE(box.empty()) << "seed " << seed;
    }
}

}  // namespace
}  // namespace sluice::consumer
