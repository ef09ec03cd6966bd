#include "consumer/lane/rules/holds.hpp"

#include <gtest/gtest.h>

#include <array>

namespace sluice::lane {
namespace {

using namespace std::chrono_literals;
using Why = Holds::Why;

constexpr SteadyTime start{1h};
constexpr std::array<std::string_view, 1> book{"book"};
constexpr std::array<std::string_view, 2> both{"mail", "book"};
constexpr std::array<std::string_view, 1> mail{"mail"};

TEST(Holds, WhatIsMissingHoldsAtOnce) {
    Holds holds;
    EXPECT_FALSE(holds.held(book, start));
    holds.failed("book", Why::missing, "no such table", start);
    ASSERT_TRUE(holds.held(book, start));
    EXPECT_EQ(holds.held(book, start)->effect, "book");
    EXPECT_EQ(holds.held(book, start)->reason, "no such table");
}

TEST(Holds, OtherEffectsAreNotConcerned) {
    Holds holds;
    holds.failed("book", Why::missing, "no such table", start);
    EXPECT_FALSE(holds.held(mail, start));
    EXPECT_TRUE(holds.held(both, start)) << "all of an event's effects run, or none";
}

TEST(Holds, ASlowEventNowAndThenIsNoReason) {
    Holds holds;
    for (int i = 0; i < 10; ++i) {
        holds.failed("book", Why::slow, "took too long", start);
        holds.failed("book", Why::slow, "took too long", start);
        EXPECT_FALSE(holds.held(book, start));
        holds.worked("book");
    }
    EXPECT_TRUE(holds.empty());
}

TEST(Holds, ThreeInARowAre) {
    Holds holds;
    for (int i = 0; i < 3; ++i) holds.failed("book", Why::slow, "took too long", start);
    EXPECT_TRUE(holds.held(book, start));
    EXPECT_EQ(holds.all().size(), 1U);
}

TEST(Holds, OneEventIsLetThroughNowAndThen) {
    Holds holds;
    holds.failed("book", Why::missing, "no such table", start);
    EXPECT_TRUE(holds.not_admitted(book, start + 999ms));
    EXPECT_FALSE(holds.held(book, start + 1s)) << "worth a try";
    EXPECT_FALSE(holds.not_admitted(book, start + 1s)) << "to see";
    EXPECT_TRUE(holds.not_admitted(book, start + 1s)) << "and no second one";
    holds.failed("book", Why::missing, "no such table", start + 1s);
    EXPECT_TRUE(holds.not_admitted(book, start + 2s)) << "the next wait is longer";
    EXPECT_FALSE(holds.not_admitted(book, start + 3s));
    holds.worked("book");
    EXPECT_FALSE(holds.not_admitted(book, start + 3s));
    EXPECT_TRUE(holds.empty());
}

TEST(Holds, NobodyIsLetThroughWhomAnotherEffectHoldsBack) {
    Holds holds;
    holds.failed("mail", Why::missing, "no such table", start);
    holds.failed("book", Why::missing, "no such table", start + 500ms);
    EXPECT_EQ(holds.not_admitted(both, start + 1s)->effect, "book");
    EXPECT_FALSE(holds.not_admitted(mail, start + 1s)) << "its try is not used up";
}

TEST(Holds, WhatIsMissingIsLookedAtOnceASecond) {
    Holds holds;
    holds.failed("book", Why::missing, "no such table", start);
    for (int i = 0; i < 3; ++i) holds.failed("mail", Why::slow, "took too long", start);
    EXPECT_EQ(holds.to_look_at(start), (std::vector<std::string>{"book"}));
    EXPECT_TRUE(holds.to_look_at(start + 999ms).empty());
    EXPECT_EQ(holds.to_look_at(start + 1s), (std::vector<std::string>{"book"}));
}

TEST(Holds, ASlowOneWithoutEventsIsForgottenAndAMissingOneIsNot) {
    Holds holds;
    holds.failed("book", Why::missing, "no such table", start);
    for (int i = 0; i < 3; ++i) holds.failed("mail", Why::slow, "took too long", start);
    holds.forget_untried(start + 59s);
    EXPECT_EQ(holds.all().size(), 2U);
    holds.forget_untried(start + 60s);
    ASSERT_EQ(holds.all().size(), 1U);
    EXPECT_EQ(holds.all().front().effect, "book");
}

}  // namespace
}  // namespace sluice::lane
