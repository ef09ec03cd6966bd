#include "poller/run/provider_clock.hpp"

#include <gtest/gtest.h>

namespace sluice::poller {
namespace {

class StandingClock final : public Clock {
public:
    [[nodiscard]] WallTime wall() const override { return ours; }
    [[nodiscard]] SteadyTime steady() const override { return now; }
    WallTime ours{std::chrono::hours{100}};
    SteadyTime now{std::chrono::hours{1}};
};

TEST(ProviderClock, IsOursUntilTheProviderSaysItsTime) {
    StandingClock clock;
    ProviderClock provider;
    EXPECT_EQ(provider.at(clock), clock.ours);
    const WallTime said = clock.ours - std::chrono::minutes{10};
    provider.saw(said, clock.now);
    clock.now += std::chrono::seconds{7};
    EXPECT_EQ(provider.at(clock), said + std::chrono::seconds{7});
}

}  // namespace
}  // namespace sluice::poller
