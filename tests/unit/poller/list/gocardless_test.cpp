#include "tests/unit/poller/list/list_kit.hpp"

namespace sluice::poller {
namespace {

using namespace std::chrono_literals;

TEST(GoCardlessListTest, AsksInItsWords) {
    const auto target = [](const Ask& ask) { return list_of("gocardless")->request(ask, {}).target; };
    EXPECT_EQ(target(behind("EV1", 500)), "/events?limit=500&before=EV1");
    EXPECT_EQ(target(newest_before(WallTime{1'700'000'000s})),
              "/events?limit=1&created_at%5Blt%5D=2023-11-14T22%3A13%3A20.000Z");
    EXPECT_EQ(target(window(WallTime{10s}, WallTime{70s + 1us}, 9, "EV1")),
              "/events?limit=9&created_at%5Bgte%5D=1970-01-01T00%3A00%3A10.000Z"
              "&created_at%5Blt%5D=1970-01-01T00%3A01%3A10.001Z&after=EV1");
}

}  // namespace
}  // namespace sluice::poller
