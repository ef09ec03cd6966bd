#include "ctl/callback/callback_text.hpp"

#include <gtest/gtest.h>

namespace sluice::ctl {
namespace {

using store::CallbackPlace;

constexpr auto day = std::chrono::sys_days{std::chrono::year{2026} / 11 / 30};

store::ListedCallback at(CallbackPlace place) {
    store::ListedCallback callback;
    callback.day = day;
    callback.place = place;
    return callback;
}

TEST(CallbackId, NamesOneRow) {
    for (const auto& [place, id] :
         {std::pair{CallbackPlace{CallbackPlace::Log::events, 3, 1207, 0}, "20261130-e3-1207"},
          std::pair{CallbackPlace{CallbackPlace::Log::callbacks, 0, 17, 4}, "20261130-c0-17.4"}}) {
        EXPECT_EQ(callback_id(at(place)), id);
        const auto named = callback_named(id);
        ASSERT_TRUE(named) << id;
        EXPECT_EQ(named->first, day);
        EXPECT_EQ(callback_id(at(named->second)), id);
    }
}

TEST(CallbackId, IsNothingElse) {
    for (const auto* text :
         {"", "17", "20261130", "20261130-e3", "20261130-x3-1", "20261130-e-1", "20261130-e3-",
          "20261130-e3-1.", "20261130-e3-1.x", "20261130-e3-1 ", "20261330-e3-1", "20261130-e3--1"})
        EXPECT_FALSE(callback_named(text)) << text;
}

TEST(CallbackText, SaysWhereTheRequestIs) {
    store::ListedCallback callback = at({});
    callback.verdict = "accepted";
    EXPECT_NE(callback_text(callback).find("sluicectl event show --body"), std::string::npos);
    callback.verdict = "duplicate";
    EXPECT_NE(callback_text(callback).find("was not kept"), std::string::npos);
    callback.body = R"({"email":"ann@example.com"})";
    EXPECT_EQ(callback_text(callback).find("ann@"), std::string::npos);
}

TEST(CallbackText, CannotDrawOnTheTerminal) {
    store::ListedCallback callback = at({});
    callback.client = "\x1b[2J";
    callback.headers = "[[\"x\",\"\\u001b[2J\"]]";
    callback.requests = 1;
    EXPECT_EQ(callback_text(callback).find('\x1b'), std::string::npos);
    EXPECT_EQ(callbacks_table({callback}).find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace sluice::ctl
