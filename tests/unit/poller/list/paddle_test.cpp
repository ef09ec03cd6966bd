#include "tests/unit/poller/list/list_kit.hpp"

namespace sluice::poller {
namespace {

TEST(PaddleListTest, AsksInItsWords) {
    const auto target = [](const Ask& ask) { return list_of("paddle")->request(ask, {}).target; };
    EXPECT_EQ(target(before("", 200)), "/events?order_by=id%5BDESC%5D&per_page=200") << "from the newest on";
    EXPECT_EQ(target(before("evt_1", 50)), "/events?order_by=id%5BDESC%5D&per_page=50&after=evt_1");
    EXPECT_EQ(target(behind("evt_1", 200)), "/events?order_by=id%5BASC%5D&per_page=200&after=evt_1");
    EXPECT_EQ(target(behind("", 200)), "/events?order_by=id%5BASC%5D&per_page=200") << "from the oldest on";
}

}  // namespace
}  // namespace sluice::poller
