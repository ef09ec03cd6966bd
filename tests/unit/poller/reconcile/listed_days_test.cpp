#include "poller/reconcile/listed_days.hpp"

#include <gtest/gtest.h>

#include "common/record/event_record.hpp"

namespace sluice::poller {
namespace {

using namespace std::chrono_literals;
using store::InboxStatus;

constexpr std::chrono::sys_days day{std::chrono::year{2026} / 11 / 27};
constexpr bool live = true;
constexpr bool test = false;

crypto::Digest key_of(std::string_view id, bool mode = live, std::string_view principal = "acct_main") {
    return record::dedup_key("stripe", principal, mode, id);
}

store::DayRow row(std::string id, bool mode = live, std::string_view principal = "acct_main") {
    return {key_of(id, mode, principal), id, "charge.updated", InboxStatus::done};
}

class ListedDaysTest : public testing::Test {
protected:
    bool lists(std::string_view id, bool mode = live, WallTime created = day + 1h) {
        return days.saw({day, key_of(id, mode)}, mode, created);
    }

    ListedDays days{{"stripe", "acct_main"}};
};

TEST_F(ListedDaysTest, ARowThatWasListedIsThere) {
    lists("evt_1");
    EXPECT_TRUE(days.why_not_compared().empty());
    EXPECT_FALSE(days.lacks(day, row("evt_1")));
    EXPECT_TRUE(days.lacks(day, row("evt_2")));
}

TEST_F(ListedDaysTest, AnEventThatComesAgainIsNotNew) {
    EXPECT_TRUE(lists("evt_1"));
    EXPECT_FALSE(lists("evt_1"));
    EXPECT_TRUE(lists("evt_1", test));
    EXPECT_TRUE(lists("evt_2"));
}

TEST_F(ListedDaysTest, ARowOfAnotherAccountIsNoneOfIts) {
    lists("evt_1");
    EXPECT_FALSE(days.lacks(day, row("evt_2", live, "acct_other")));
}

TEST_F(ListedDaysTest, AListOfLiveModeSaysNothingOfTestMode) {
    lists("evt_1", live);
    EXPECT_FALSE(days.lacks(day, row("evt_2", test)));
}

TEST_F(ListedDaysTest, AListOfTestModeSaysNothingOfLiveMode) {
    lists("evt_1", test);
    EXPECT_FALSE(days.lacks(day, row("evt_2", live)));
    EXPECT_TRUE(days.lacks(day, row("evt_2", test)));
}

TEST_F(ListedDaysTest, WithoutAnEventNobodyKnowsTheMode) {
    EXPECT_FALSE(days.why_not_compared().empty());
}

TEST_F(ListedDaysTest, OfBothModesIsNotCompared) {
    lists("evt_1", live);
    lists("evt_2", test);
    EXPECT_FALSE(days.why_not_compared().empty());
}

TEST_F(ListedDaysTest, ThatGoesByOtherDaysIsNotCompared) {
    lists("evt_1", live, day - 1us);
    EXPECT_FALSE(days.why_not_compared().empty());
}

TEST(Standing, OfWhatIsThereIsItsStatus) {
    const store::InboxKey listed{day, key_of("evt_1")};
    store::KnownEvent known{.key = listed, .content_digest = {}, .source = "stripe-eu"};
    for (const auto status :
         {InboxStatus::done, InboxStatus::ignored, InboxStatus::skipped, InboxStatus::newer}) {
        known.status = status;
        EXPECT_EQ(standing_of(listed, &known, std::nullopt), Standing::here);
    }
    for (const auto status : {InboxStatus::dead, InboxStatus::retry, InboxStatus::deferred,
                              InboxStatus::parked, InboxStatus::rerun}) {
        known.status = status;
        EXPECT_EQ(standing_of(listed, &known, std::nullopt), Standing::not_applied);
    }
}

TEST(Standing, OfWhatIsNotThereDependsOnWhatTheInboxStillKnows) {
    const store::InboxKey listed{day, key_of("evt_1")};
    EXPECT_EQ(standing_of(listed, nullptr, std::nullopt), Standing::missing);
    EXPECT_EQ(standing_of(listed, nullptr, day), Standing::missing);
    EXPECT_EQ(standing_of(listed, nullptr, day + std::chrono::days{1}), Standing::too_old);
    EXPECT_EQ(standing_of({record::undated, listed.dedup_key}, nullptr, day), Standing::missing);
}

}  // namespace
}  // namespace sluice::poller
