#include "command/record/begin.hpp"

#include <gtest/gtest.h>

#include "tests/unit/command/record/lossy_record.hpp"

namespace sluice::command {
namespace {

using namespace std::chrono_literals;
using As = Begun::As;

class BeginTest : public testing::Test {
protected:
    Begun begun() {
        return begin(record, {.request = request, .claim = {.owner = "me"}, .lease = 1s}).value();
    }

    const Request request{.key = {.command = "refund", .caller = "shop", .key = "r1"},
                          .fingerprint = crypto::sha256("5 cents"),
                          .body = "{}"};
    const Claim of_another{.owner = "another", .fence = 4};
    LossyRecord record;
};

using Loss = LossyRecord::Loss;

TEST_F(BeginTest, AChangeThatNobodyConfirmedIsFoundByItsOwner) {
    for (const Loss loss : {Loss::before, Loss::after}) {
        record.known.reset();
        record.losses = {loss};
        const Begun first = begun();
        EXPECT_EQ(first.as, As::call);
        EXPECT_EQ(first.claim, record.known->claim);
    }
}

TEST_F(BeginTest, ATakeOverThatNobodyConfirmedNeverBecomesACall) {
    for (const Loss loss : {Loss::before, Loss::after}) {
        record.known = {.claim = of_another, .fingerprint = request.fingerprint, .is_due = true};
        record.losses = {Loss::none, loss};  // of the INSERT, which finds the key
        const Begun next = begun();
        EXPECT_EQ(next.as, As::settle);
        EXPECT_EQ(next.claim, (Claim{.owner = "me", .fence = 5}));
    }
}

TEST_F(BeginTest, ARestartThatNobodyConfirmedCalls) {
    record.known = {.claim = of_another,
                    .fingerprint = request.fingerprint,
                    .end = CallEnd{.state = CallEnd::State::failed}};
    record.losses = {Loss::none, Loss::after};
    EXPECT_EQ(begun().as, As::call);
    EXPECT_EQ(record.known->claim.fence, 5);
}

TEST_F(BeginTest, WhatIsLostAgainAndAgainIsAnError) {
    record.losses.assign(10, Loss::before);
    EXPECT_FALSE(begin(record, {.request = request, .claim = {.owner = "me"}, .lease = 1s}));
    EXPECT_FALSE(record.known);
}

}  // namespace
}  // namespace sluice::command
