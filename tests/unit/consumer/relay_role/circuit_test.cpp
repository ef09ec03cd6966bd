#include "consumer/relay_role/circuit.hpp"

#include <gtest/gtest.h>

namespace sluice::consumer {
namespace {

using How = Sent::How;

std::vector<Sent> answers(std::initializer_list<How> list) {
    std::vector<Sent> all;
    for (const How how : list) {
        all.push_back({.how = how});
        if (!all.back().is_settled() && how != How::untried) all.back().why = "it said no";
    }
    return all;
}

TEST(Circuit, OpensAtOnceForADestinationThatIsOutOfReach) {
    Circuit circuit;
    EXPECT_TRUE(circuit.is_open_after(answers({How::failed, How::untried})));
    EXPECT_EQ(circuit.why(), "it said no");
    EXPECT_FALSE(circuit.is_open_after(answers({How::taken})));
}

TEST(Circuit, OpensAtTheFifthMessageInARowThatIsNotTaken) {
    Circuit circuit;
    EXPECT_FALSE(circuit.is_open_after(answers({How::later, How::later, How::later, How::later})));
    EXPECT_TRUE(circuit.is_open_after(answers({How::later})));
    EXPECT_TRUE(circuit.is_open_after(answers({How::later}))) << "a probe that fails leaves it open";
}

TEST(Circuit, StaysClosedWhereOthersAreTaken) {
    Circuit circuit;
    for (int i = 0; i < 10; ++i) {
        EXPECT_FALSE(circuit.is_open_after(answers({How::later, How::taken})));
        EXPECT_FALSE(circuit.is_open_after(answers({How::later})));
    }
}

TEST(Circuit, ClosesWhereAMessageIsRefused) {
    Circuit circuit;
    EXPECT_TRUE(circuit.is_open_after(answers({How::failed})));
    EXPECT_FALSE(circuit.is_open_after(answers({How::refused}))) << "it answers";
}

TEST(Circuit, SaysNothingOfMessagesThatWereNotTried) {
    Circuit circuit;
    EXPECT_FALSE(circuit.is_open_after(answers({How::untried, How::untried})));
    EXPECT_TRUE(circuit.is_open_after(answers({How::failed})));
    EXPECT_TRUE(circuit.is_open_after(answers({How::untried})));
}

TEST(Circuit, RestsLongerWithEachProbeThatFailsUpToTenSeconds) {
    Circuit circuit;
    Random random{1};
    (void)circuit.is_open_after(answers({How::failed}));
    EXPECT_LE(circuit.rest(random), Milliseconds{200});
    for (int i = 0; i < 20; ++i) (void)circuit.is_open_after(answers({How::failed}));
    EXPECT_GE(circuit.rest(random), Milliseconds{7'500});
    EXPECT_LE(circuit.rest(random), Milliseconds{10'000});
}

}  // namespace
}  // namespace sluice::consumer
