#include "ctl/event/rerun/turn_order.hpp"

#include <gtest/gtest.h>

namespace sluice::ctl {
namespace {

using Offsets = std::vector<std::int64_t>;

RerunTarget target_at(std::int64_t offset, int second, std::int32_t partition = 0, std::string topic = "t") {
    RerunTarget target;
    target.offset = offset;
    target.received_at = WallTime{std::chrono::seconds{1'000'000 + second}};
    target.partition = partition;
    target.topic = std::move(topic);
    return target;
}

Offsets in_turns(std::vector<RerunTarget> targets) {
    into_turns(targets);
    Offsets offsets;
    for (const auto& target : targets) offsets.push_back(target.offset);
    return offsets;
}

TEST(TurnOrder, IsTheLogsAndNotThatOfClocks) {
    EXPECT_EQ(in_turns({target_at(7, 30), target_at(5, 31), target_at(6, 2)}), (Offsets{5, 6, 7}));
    EXPECT_EQ(in_turns({target_at(9, 500), target_at(1, 0), target_at(3, 70)}), (Offsets{1, 3, 9}));
    EXPECT_EQ(in_turns({}), Offsets{});
}

TEST(TurnOrder, KnowsALogThatWasMadeAnew) {
    EXPECT_EQ(in_turns({target_at(0, 200), target_at(900, 10), target_at(901, 12), target_at(1, 201)}),
              (Offsets{900, 901, 0, 1}));
    EXPECT_EQ(in_turns({target_at(0, 900), target_at(40, 500), target_at(900, 10), target_at(41, 505),
                        target_at(1, 901)}),
              (Offsets{900, 40, 41, 0, 1}));
}

TEST(TurnOrder, PutsTheOlderTopicFirst) {
    EXPECT_EQ(in_turns({target_at(1, 500, 3, "a"), target_at(77, 10, 0, "b"), target_at(2, 501, 3, "a")}),
              (Offsets{77, 1, 2}));
}

TEST(TurnOrder, KeepsPartitionsApart) {
    EXPECT_EQ(
        in_turns({target_at(5, 20, 1), target_at(700, 10, 0), target_at(6, 90, 1), target_at(701, 300, 0)}),
        (Offsets{700, 701, 5, 6}));
}

}  // namespace
}  // namespace sluice::ctl
