#include <gtest/gtest.h>

#include "ctl/cli/exit.hpp"
#include "ctl/cli/time_words.hpp"
#include "ctl/entry/dead_letter_text.hpp"
#include "ctl/entry/details.hpp"
#include "ctl/entry/filter_options.hpp"
#include "ctl/lane/lane_text.hpp"

namespace sluice::ctl {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

constexpr WallTime noon{seconds{1'795'262'400}};  // 2026-11-21 12:00:00

store::DeadLetterRow a_death() {
    store::DeadLetterRow dead_letter;
    dead_letter.id = 4711;
    dead_letter.event_id = "evt_1";
    dead_letter.object_key = "stripe/acct_main/pi_1";
    dead_letter.error_class = "data";
    dead_letter.error_text = "no wallet of card 4111111111111111";
    dead_letter.attempts = 3;
    dead_letter.first_failed_at = noon - hours{3};
    dead_letter.opened_at = noon - hours{2};
    dead_letter.first_died_at = noon - hours{2};
    dead_letter.place = store::LanePlace{{}, 7};
    return dead_letter;
}

store::ActionRow a_retry() {
    store::ActionRow action;
    action.operator_name = "ada";
    action.reason = "wallets are there";
    action.carried_out_at = noon - hours{1};
    return action;
}

TEST(TimeWords, AreTheTwoLargestUnits) {
    EXPECT_EQ(age_text(seconds{-5}), "0s");
    EXPECT_EQ(age_text(seconds{59}), "59s");
    EXPECT_EQ(age_text(seconds{723}), "12m 3s");
    EXPECT_EQ(age_text(seconds{3 * 3600 + 20 * 60}), "3h 20m");
    EXPECT_EQ(age_text(hours{122}), "5d 2h");
    EXPECT_EQ(short_time(noon), "2026-11-21 12:00:00");
}

TEST(DlqFilter, TakesTimesDaysAndHowLongAgo) {
    FilterOptions options;
    options.since = "2h";
    options.until = "2026-11-21T11:00:00Z";
    const auto filter = filter_of(options, noon);
    EXPECT_EQ(filter.since, noon - hours{2});
    EXPECT_EQ(filter.until, noon - hours{1});
    EXPECT_EQ(filter.which, store::DeadLetterFilter::Which::open);
    options.since = "2026-11-21";
    EXPECT_EQ(filter_of(options, noon).since, noon - hours{12});
    options.since = "yesterday";
    EXPECT_THROW(static_cast<void>(filter_of(options, noon)), Stopped);
}

TEST(DlqFilter, NarrowsByWhatIsNamedOnly) {
    EXPECT_TRUE(FilterOptions{}.is_empty());
    FilterOptions options;
    options.source = "stripe-eu";
    options.kind = "conflict";
    EXPECT_FALSE(options.is_empty());
    const auto filter = filter_of(options, noon);
    EXPECT_EQ(filter.source, "stripe-eu");
    EXPECT_EQ(filter.kind, store::DeadLetterKind::conflict);
    EXPECT_EQ(filter.type, std::nullopt);
    options.kind = "sad";
    EXPECT_THROW(static_cast<void>(filter_of(options, noon)), Stopped);
}

TEST(DlqText, MasksWhatErrorsQuote) {
    const auto table = dead_letters_table({a_death()}, noon);
    EXPECT_TRUE(table.contains("4711  evt_1")) << table;
    EXPECT_TRUE(table.contains("2h 0m")) << table;
    EXPECT_TRUE(table.contains("411111******1111")) << table;
    EXPECT_EQ(to_json(a_death())["error_text"], "no wallet of card 411111******1111");
    EXPECT_EQ(dead_letters_table({}, noon), "");
}

TEST(DlqText, SaysWhichMessageAnEntryIs) {
    auto refused = a_death();
    refused.kind = store::DeadLetterKind::message;
    refused.topic = "mail";
    refused.offset = 13;
    refused.error_text = "it answered with status 422";
    EXPECT_TRUE(dead_letters_table({refused}, noon)
                    .ends_with("\n    message 13 to mail: it answered with status 422\n"));
}

TEST(DlqText, ShowsReasonsWholeOnATerminalOfEightyColumns) {
    auto death = a_death();
    death.error_text =
        "effect pay-order-of-the-shop-in-the-north: order O-17 is PAID over 8888 CNY since the 24th, "
        "paid were 8888 CNY by 4200002026 of wechat-pay, and nobody has asked for it";
    const auto table = dead_letters_table({death}, noon);
    EXPECT_TRUE(
        table.ends_with("\n    effect pay-order-of-the-shop-in-the-north: order O-17 is PAID over 8888 CNY\n"
                        "    since the 24th, paid were 8888 CNY by 4200002026 of wechat-pay, and nobody\n"
                        "    has asked for it\n"))
        << table;
    death.error_text = "no text\x1b[2J";
    EXPECT_TRUE(dead_letters_table({death}, noon).ends_with("\n    no text\\x1b[2J\n"));
    death.error_text = "";
    EXPECT_TRUE(dead_letters_table({death}, noon).ends_with("open\n"));
}

TEST(DlqText, CountsAnAgeFromTheFirstDeath) {
    DeadLetterDetails details;
    details.dead_letter = a_death();
    EXPECT_FALSE(to_people(details, noon).contains("\ndied "));
    details.dead_letter.first_died_at = noon - hours{72};
    EXPECT_TRUE(dead_letters_table({details.dead_letter}, noon).contains("3d 0h"));
    EXPECT_TRUE(to_people(details, noon).contains("\ndied      first 2026-11-18 12:00:00, 3d 0h ago\n"));
    EXPECT_TRUE(to_people(details, noon).contains("opened    2026-11-21 10:00:00, 2h 0m ago\n"));
    EXPECT_EQ(to_json(details)["first_died_at"], "2026-11-18T12:00:00.000000Z");
}

TEST(DlqText, CountsByClassAndSource) {
    const store::DeadLetterCount count{"data", "stripe-eu", store::DeadLetterKind::dead, 12, noon - hours{5}};
    EXPECT_EQ(counts_table({count}, noon),
              "CLASS  SOURCE     KIND  ENTRIES  OLDEST\ndata   stripe-eu  dead       12  5h 0m\n");
    EXPECT_EQ(total_of({count, count}), 24);
}

TEST(History, IsOneStoryInTheOrderOfTime) {
    Trouble trouble;
    auto again = a_death();
    again.id = 4712;
    again.opened_at = noon;
    auto first = a_death();
    first.closed_at = a_retry().carried_out_at;
    first.closed_as = store::ClosedAs::retried;
    trouble.dead_letters = {first, again};
    trouble.actions = {a_retry()};
    const auto lines = history_of(trouble);
    ASSERT_EQ(lines.size(), 5U);
    EXPECT_EQ(lines[0].what, "failed for the first time");
    EXPECT_EQ(lines[1].what,
              "entry 4711: given up after 3 attempts, class data: no wallet of card 411111******1111");
    EXPECT_EQ(lines[2].what, "entry 4711: closed as retried");
    EXPECT_EQ(lines[3].what, "retry by ada: wallets are there");
    EXPECT_TRUE(lines[4].what.starts_with("entry 4712: given up"));
}

TEST(History, SaysWhyAnOperatorWasRefused) {
    auto refused = a_retry();
    refused.answer = store::ActionAnswer::refused;
    refused.why = "parked";
    Trouble trouble;
    trouble.actions = {refused};
    EXPECT_EQ(history_of(trouble).at(0).what, "retry by ada, refused: parked: wallets are there");
    EXPECT_FALSE(trouble.is_empty());
    EXPECT_EQ(to_people(Trouble{}, noon), "");
}

TEST(Details, SayWhatWaitsAndShowAMaskedPayload) {
    DeadLetterDetails details;
    details.dead_letter = a_death();
    details.waiting = {12, noon - hours{1}};
    details.body = R"({"client_secret":"pi_1_secret_x"})";
    details.body_from = "the lane";
    details.edited = true;
    details.headers = {{"http-stripe-signature", "t=1"}};
    const auto text = to_people(details, noon);
    EXPECT_TRUE(text.contains("behind it 12 since 2026-11-21 11:00:00")) << text;
    EXPECT_TRUE(text.contains("33 bytes from the lane, edited by an operator, masked")) << text;
    EXPECT_FALSE(text.contains("secret_x")) << text;
    const auto json = to_json(details);
    EXPECT_EQ(json["waiting_behind"]["count"], 12);
    EXPECT_EQ(json["headers"][0][1], "***");
    EXPECT_FALSE(to_line(json).contains("secret_x"));
}

TEST(Details, OfAnEntryWithoutALaneHoldNothingUp) {
    DeadLetterDetails details;
    details.dead_letter = a_death();
    details.dead_letter.place.reset();
    EXPECT_TRUE(to_people(details, noon).contains("holds no lane"));
    EXPECT_TRUE(to_people(details, noon).contains("not available"));
    EXPECT_TRUE(to_json(details)["waiting_behind"].is_null());
    EXPECT_TRUE(to_json(details)["payload"].is_null());
}

TEST(LaneText, SaysWhatHoldsALaneAndWhatEachEventWaitsFor) {
    store::LaneSummary lane;
    lane.object_key = "stripe/acct_main/pi_1";
    lane.state = lane::State::waiting;
    lane.wakeup.due = noon;
    lane.unfinished = 2;
    lane.since = noon - hours{1};
    store::LaneEventRow event;
    event.row = {
        .position = 1, .status = lane::Status::retry, .attempts = 2, .due_at = noon, .first_failed_at = {}};
    event.appended_at = noon - hours{1};
    const auto text = to_people(lane, {event}, noon);
    EXPECT_TRUE(text.contains("state     waiting")) << text;
    EXPECT_TRUE(text.contains("retry, tried 2 times, due 2026-11-21 12:00:00")) << text;
    EXPECT_EQ(to_json(lane, {event})["events"][0]["status"], "retry");
    EXPECT_EQ(to_people(std::vector<store::LaneCount>{}, {}, noon),
              "No lanes: every event that arrived is finished or on its way.\n");
}

TEST(LaneText, SaysWhenNobodyLooksAtALane) {
    store::LaneSummary lane;
    lane.state = lane::State::waiting;
    lane.wakeup.due = noon;
    lane.wakeup.sent = true;
    const auto list = [&](WallTime now) {
        return to_people({{.state = lane::State::waiting, .lanes = 1, .events = 1, .oldest = noon}}, {lane},
                         now);
    };
    EXPECT_FALSE(list(noon + std::chrono::seconds{30}).contains("overdue")) << "wakeups take some time";
    EXPECT_TRUE(list(noon + std::chrono::minutes{2}).contains("12:00:00, overdue"));
    EXPECT_TRUE(to_people(lane, {}, noon + std::chrono::minutes{2})
                    .contains("next at 2026-11-21 12:00:00, overdue: check that the retry role runs"));
}

}  // namespace
}  // namespace sluice::ctl
