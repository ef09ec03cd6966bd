#include <chrono>
#include <set>

#include <gtest/gtest.h>

#include "poller/pace/tries.hpp"

namespace sluice::poller {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

class TriesTest : public testing::Test {
protected:
    Tries::Then failed(Fault fault) { return tries.failed(fault, now, minutes{1}, random); }

    SteadyTime now{hours{1}};
    Tries tries{100};
    Random random{7};
};

void expect_about(Milliseconds wait, Milliseconds most) {
    EXPECT_LE(wait, most);
    EXPECT_GE(wait, most - (most / 4));
}

TEST_F(TriesTest, ThreeAreTriedAgainThenTheSourceIsInTrouble) {
    for (const int wait : {2, 4, 8}) {
        const auto then = failed(Fault::server);
        expect_about(then.wait, seconds{wait});
        EXPECT_FALSE(then.in_trouble);
    }
    for (const int wait : {2, 4, 8, 16, 32}) {
        const auto then = failed(Fault::unreachable);
        expect_about(then.wait, minutes{wait});
        EXPECT_TRUE(then.in_trouble);
    }
    for (int more = 0; more < 100; ++more) expect_about(failed(Fault::server).wait, hours{1});
}

TEST_F(TriesTest, WaitsAreNotAllTheSame) {
    std::set<Milliseconds> waits;
    for (int source = 0; source < 20; ++source)
        waits.insert(Tries{100}.failed(Fault::server, now, minutes{1}, random).wait);
    EXPECT_GT(waits.size(), 10U);
}

TEST_F(TriesTest, OneThatWorksEndsTheTrouble) {
    for (int failure = 0; failure < 5; ++failure) static_cast<void>(failed(Fault::unreadable));
    EXPECT_TRUE(tries.in_trouble());
    tries.worked();
    EXPECT_FALSE(tries.in_trouble());
    expect_about(failed(Fault::server).wait, seconds{2});
}

TEST_F(TriesTest, SaysWhatIsLimitedForTenMinutes) {
    EXPECT_FALSE(failed(Fault::limited).limited_for_long);
    now += minutes{10} + seconds{1};
    EXPECT_FALSE(failed(Fault::server).limited_for_long);
    const auto then = failed(Fault::limited);
    EXPECT_TRUE(then.limited_for_long);
    EXPECT_FALSE(then.in_trouble);
    EXPECT_EQ(then.wait, seconds{0}) << "that is the budget's to say";
    tries.worked();
    EXPECT_FALSE(failed(Fault::limited).limited_for_long);
}

TEST_F(TriesTest, ARefusedKeyIsTroubleAtOnce) {
    const auto then = failed(Fault::refused);
    EXPECT_TRUE(then.in_trouble);
    expect_about(then.wait, minutes{2});
    expect_about(failed(Fault::refused).wait, minutes{4});
}

TEST_F(TriesTest, LimitedIsNoTry) {
    for (int more = 0; more < 10; ++more) {
        const auto then = failed(Fault::limited);
        EXPECT_EQ(then.wait, Milliseconds{0});
        EXPECT_FALSE(then.in_trouble);
    }
    expect_about(failed(Fault::server).wait, seconds{2});
}

TEST_F(TriesTest, APageThatIsTooLongIsAskedForInHalves) {
    for (const int limit : {50, 25, 12, 6, 3, 1}) {
        const auto then = failed(Fault::too_long);
        EXPECT_EQ(tries.limit(), limit);
        EXPECT_EQ(then.wait, Milliseconds{0});
        EXPECT_FALSE(then.in_trouble);
    }
    EXPECT_TRUE(failed(Fault::too_long).in_trouble) << "one event is too long";
    EXPECT_EQ(tries.limit(), 1);
}

TEST_F(TriesTest, PagesGrowAgain) {
    static_cast<void>(failed(Fault::too_long));
    tries.worked();
    EXPECT_EQ(tries.limit(), 60);
    for (int more = 0; more < 10; ++more) tries.worked();
    EXPECT_EQ(tries.limit(), 100);
}

TEST_F(TriesTest, PagesThatCannotBeReadGrowToo) {
    for (int halves = 0; halves < 6; ++halves) static_cast<void>(failed(Fault::too_long));
    EXPECT_EQ(tries.limit(), 1);
    static_cast<void>(failed(Fault::unreadable));
    EXPECT_EQ(tries.limit(), 11) << "the one event may have no id, and those beside it have";
}

TEST_F(TriesTest, PagesOfAFewGrowAgainToo) {
    tries = Tries{3};
    static_cast<void>(failed(Fault::too_long));
    EXPECT_EQ(tries.limit(), 1);
    tries.worked();
    EXPECT_EQ(tries.limit(), 2);
}

}  // namespace
}  // namespace sluice::poller
