#include "consumer/group/worker.hpp"

#include <gtest/gtest.h>

#include <future>

namespace sluice::consumer {
namespace {

/// Calls an item decoded, on the thread that offers it, and tells of the first ones that it takes.
class Decoding final : public Work {
public:
    explicit Decoding(std::promise<Items>& taken) : taken_{taken} {}

    [[nodiscard]] bool in_trouble() const noexcept override { return false; }
    void prepare(Item& item) const override { item.decoded = std::this_thread::get_id() == offering_; }
    void take(Items items) override {
        if (!items.empty()) taken_.set_value(std::move(items));
    }
    [[nodiscard]] bool round() override { return false; }
    [[nodiscard]] SteadyTime next_look() const override { return SteadyTime::max(); }

private:
    const std::thread::id offering_ = std::this_thread::get_id();
    std::promise<Items>& taken_;
};

TEST(Worker, TakesWhatThePollThreadHasPrepared) {
    Partitions partitions;
    partitions.assign(0, std::nullopt, 0);
    std::promise<Items> promise;
    Worker worker{"worker", partitions, std::make_unique<Decoding>(promise)};
    Items items(2);
    for (Item& item : items) item.record.at.generation = partitions.newest_generation();
    items.back().record.at.offset = 1;
    worker.offer(std::move(items));
    const Items taken = promise.get_future().get();
    ASSERT_EQ(taken.size(), 2U);
    EXPECT_TRUE(taken.front().decoded && taken.back().decoded);
    EXPECT_EQ(taken.front().record.at.offset, 0);
}

TEST(Worker, TakesNothingOfAPartitionThatWasGivenBackBeforeItWasHandedOver) {
    Partitions partitions;
    partitions.assign(0, std::nullopt, 0);
    Items items(2);
    items.front().record.at.generation = partitions.newest_generation();
    partitions.revoke_all();
    partitions.assign(0, std::nullopt, 0);
    items.back().record.at = {.offset = 1, .generation = partitions.newest_generation()};
    std::promise<Items> promise;
    Worker worker{"worker", partitions, std::make_unique<Decoding>(promise)};
    worker.offer(std::move(items));
    const Items taken = promise.get_future().get();
    ASSERT_EQ(taken.size(), 1U);
    EXPECT_EQ(taken.front().record.at.offset, 1);
}

}  // namespace
}  // namespace sluice::consumer
