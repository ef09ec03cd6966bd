#include "common/webhook/recipe/account_limit.hpp"

#include <gtest/gtest.h>

namespace sluice::webhook {
namespace {

std::string problems_of(const std::string& limit, std::optional<AccountLimit>* read = nullptr) {
    config::Problems problems;
    const auto document =
        config::Document::from_text("command: {limit: " + limit + "}", "test.yaml", problems);
    {
        auto section = document.section("command");
        auto limit_read = read_account_limit(section, "limit");
        if (read != nullptr) *read = std::move(limit_read);
    }
    return problems.report();
}

TEST(AccountLimit, NamesTheFieldsOfAnAccount) {
    std::optional<AccountLimit> limit;
    EXPECT_EQ(problems_of("{by: [/merchant, /currency], rate: 50/s, burst: 7}", &limit), "");
    ASSERT_TRUE(limit);
    EXPECT_EQ(limit->by.size(), 2U);
    EXPECT_EQ(limit->rate.burst, 7);
    EXPECT_TRUE(problems_of("{by: merchant, rate: 50/s}").contains("no JSON pointer"));
    EXPECT_TRUE(problems_of("{by: [], rate: 50/s}").contains("1 to 16"));
    EXPECT_TRUE(problems_of("{by: [/merchant]}").contains("rate"));
    EXPECT_TRUE(problems_of("{rate: fast}").contains("such as 50/s"));
    EXPECT_TRUE(problems_of("{rate: 50/s, burst: 0}").contains("burst"));
}

}  // namespace
}  // namespace sluice::webhook
