#include "ctl/command/unlisted.hpp"

#include <gtest/gtest.h>

namespace sluice::ctl {
namespace {

constexpr auto two_commands = R"(
callers: [{name: app, principal: app-team}, {name: web, principal: app-team}, {name: shop, principal: shop-team}]
commands: [{name: withdraw, effect: {}}, {name: payback, call: {record: redis}}]
)";

std::string why(const AskedFor& asked, const std::string& file = two_commands) {
    config::Problems problems;
    return why_unlisted(config::Document::from_text(file, "sluice.yaml", problems), asked);
}

TEST(WhyUnlisted, AnotherNameOfACommandOrACaller) {
    EXPECT_EQ(why({"nope", ""}), "The file has no command nope. It has: payback, withdraw.\n");
    EXPECT_EQ(why({"withdraw", "app"}),
              "The file has no caller with the principal app. It has: app-team, shop-team.\n");
    EXPECT_EQ(why({"withdraw", "app-team"}), "");
}

TEST(WhyUnlisted, RecordsOnRedis) {
    const std::string sentence =
        "Not shown, since their records are on Redis: payback. Their callers can look them up.\n";
    EXPECT_EQ(why({"payback", ""}), sentence);
    EXPECT_EQ(why({}), sentence) << "of all commands, this one is left out";
}

TEST(WhyUnlisted, NothingWhereTheFileListsNone) {
    EXPECT_EQ(why({"nope", "app"}, "mysql: {}\n"), "");
}

}  // namespace
}  // namespace sluice::ctl
