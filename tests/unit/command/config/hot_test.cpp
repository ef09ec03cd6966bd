#include "command/config/hot.hpp"

#include <gtest/gtest.h>

#include "tests/unit/command/configuration.hpp"

namespace sluice::command {
namespace {

using namespace std::chrono_literals;

ReadCommands with_hot(const std::string& hot) {
    std::string text{charge_click};
    text.insert(text.find("    answers:"), "    hot: " + hot + "\n");
    return read_commands(text);
}

std::optional<std::string> account_in(const std::string& body) {
    const auto [set, report] = with_hot("{account: \":merchant\", above: 50/s}");
    webhook::JsonView view;
    EXPECT_TRUE(view.read(body));
    return account_of(*set.find("charge-click")->hot, view);
}

TEST(Hot, IsReadWithItsDefaults) {
    const auto [set, report] = with_hot("{account: \":merchant\", above: 50/s}");
    ASSERT_EQ(report, "");
    const Hot& hot = *set.find("charge-click")->hot;
    EXPECT_EQ(hot.account->text(), "/merchant");
    EXPECT_EQ(hot.above, 50);
    EXPECT_EQ(hot.back_below, 10);
    EXPECT_EQ(hot.delay, 0s);
    EXPECT_FALSE(hot.answer);
    EXPECT_TRUE(set.has_hot());
    EXPECT_FALSE(read_commands(charge_click).set.has_hot());
}

TEST(Hot, SaysAllThatItMay) {
    const auto [set, report] = with_hot(
        "{account: /shop/id, list: /etc/hot, above: 600/m, back_below: 2/s, delay: 30s, answer: {status: "
        "200, "
        "body: {charged: \":price\"}}}");
    ASSERT_EQ(report, "");
    const Hot& hot = *set.find("charge-click")->hot;
    EXPECT_EQ(hot.account->text(), "/shop/id");
    EXPECT_EQ(hot.list, "/etc/hot");
    EXPECT_EQ(hot.above, 10);
    EXPECT_EQ(hot.back_below, 2);
    EXPECT_EQ(hot.delay, 30s);
    EXPECT_EQ(hot.answer->status, 200);
}

TEST(Hot, WhatMakesNoSenseIsRefused) {
    const auto report = [](const std::string& hot) { return with_hot(hot).report; };
    EXPECT_TRUE(report("{above: 50/s}").contains("account"));
    EXPECT_TRUE(report("{account: merchant, above: 50/s}").contains("is neither a parameter"));
    EXPECT_TRUE(report("{account: \":shop\", above: 50/s}").contains("is neither a parameter"));
    EXPECT_TRUE(report("{account: /m}").contains("hot needs a list"));
    EXPECT_TRUE(report("{account: /m, above: 50}").contains("is no rate"));
    EXPECT_TRUE(report("{account: /m, above: 10/s, back_below: 10/s}").contains("must be less than above"));
    EXPECT_TRUE(report("{account: /m, list: /f, back_below: 1/s}").contains("only with above"));
    EXPECT_TRUE(report("{account: /m, above: 300/h}").contains("1/s or more"));
    EXPECT_TRUE(report("{account: /m, list: /f, answer: {status: 409, body: {}}}").contains("status"));
    EXPECT_TRUE(report("{account: /m, list: /f, answer: {body: {a: \":left_over\"}}}").contains(":left_over"))
        << "nothing is booked yet";
}

TEST(Hot, RatesAreWholeNumbersOfATime) {
    EXPECT_EQ(rate_in("50/s"), 50);
    EXPECT_EQ(rate_in("30/m"), 0.5);
    EXPECT_EQ(rate_in("1800/h"), 0.5);
    for (const auto* text : {"", "50", "/s", "0/s", "-1/s", "5/d", "5/min", "5 /s", "1.5/s", "12345678/s"})
        EXPECT_FALSE(rate_in(text)) << text;
}

TEST(Hot, AnAccountIsATextOrAWholeNumber) {
    EXPECT_EQ(account_in(R"({"merchant":"m1"})"), "m1");
    EXPECT_EQ(account_in(R"({"merchant":17})"), "17");
    for (const auto* body : {R"({})", R"({"merchant":""})", R"({"merchant":1.5})", R"({"merchant":null})"})
        EXPECT_FALSE(account_in(body)) << body;
}

}  // namespace
}  // namespace sluice::command
