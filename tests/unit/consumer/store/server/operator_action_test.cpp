#include "consumer/store/dead_letter/operator_action.hpp"

#include <algorithm>

#include "consumer/store/dead_letter/dead_letter.hpp"
#include "consumer/store/lane/lane.hpp"
#include "tests/unit/consumer/store/server/events.hpp"
#include "tests/unit/consumer/store/server/fixture.hpp"

namespace sluice::store {
namespace {

using OperatorActionTest = ServerTest;

ActionId action_id(std::uint8_t number) {
    ActionId id{};
    id.back() = number;
    return id;
}

OperatorAction action_of(std::uint8_t number) {
    OperatorAction action;
    action.id = action_id(number);
    action.run = action_id(200);
    action.object_key = "stripe/acct_main/pi_1";
    action.inbox = key_of(1);
    action.dead_letter = 7;
    action.operator_name = "ada";
    action.reason = "the wallet is there now";
    action.database_user = "oncall@bastion";
    action.host = "bastion-1";
    action.requested_at = test_time;
    action.carried_out_at = test_time + std::chrono::seconds{number};
    return action;
}

TEST_F(OperatorActionTest, IsInsertedOnceAndTheTransactionGoesOn) {
    const auto connection = open_migrated();
    ASSERT_TRUE(connection->begin());
    EXPECT_EQ(insert_action(*connection, action_of(1)), true);
    EXPECT_EQ(insert_action(*connection, action_of(1)), false);
    EXPECT_EQ(insert_action(*connection, action_of(2)), true);
    ASSERT_TRUE(connection->commit());
    EXPECT_EQ(number(*connection, "SELECT COUNT(*) FROM operator_action"), 2);
}

TEST_F(OperatorActionTest, KeepsWhoApprovedIt) {
    const auto connection = open_migrated();
    auto action = action_of(1);
    action.approval =
        ActionApproval{.operator_name = "bob", .reason = "seen at the provider", .approved_at = test_time};
    ASSERT_EQ(insert_action(*connection, action), true);
    ASSERT_EQ(insert_action(*connection, action_of(2)), true);
    const auto rows = actions_of_event(*connection, key_of(1)).value();
    ASSERT_EQ(rows.size(), 2U);
    ASSERT_TRUE(rows[0].approval);
    EXPECT_EQ(rows[0].approval->operator_name, "bob");
    EXPECT_EQ(rows[0].approval->reason, "seen at the provider");
    EXPECT_EQ(rows[0].approval->approved_at, test_time);
    EXPECT_FALSE(rows[1].approval);
}

TEST_F(OperatorActionTest, IsReadAsItWasWritten) {
    const auto connection = open_migrated();
    auto refused = action_of(1);
    refused.kind = ActionKind::edit;
    refused.answer = ActionAnswer::refused;
    refused.why = "body_differs";
    refused.body_sha256 = crypto::sha256("{}");
    ASSERT_EQ(insert_action(*connection, refused), true);
    const auto rows = actions_of_event(*connection, key_of(1)).value();
    ASSERT_EQ(rows.size(), 1U);
    const auto& row = rows[0];
    EXPECT_EQ(row.id, refused.id);
    EXPECT_EQ(row.run, refused.run);
    EXPECT_EQ(row.kind, ActionKind::edit);
    EXPECT_EQ(row.answer, ActionAnswer::refused);
    EXPECT_EQ(row.why, "body_differs");
    EXPECT_EQ(row.object_key, "stripe/acct_main/pi_1");
    EXPECT_EQ(row.inbox, key_of(1));
    EXPECT_EQ(row.dead_letter, 7);
    EXPECT_EQ(row.operator_name, "ada");
    EXPECT_EQ(row.reason, "the wallet is there now");
    EXPECT_EQ(row.database_user, "oncall@bastion");
    EXPECT_EQ(row.host, "bastion-1");
    EXPECT_EQ(row.requested_at, test_time);
    EXPECT_EQ(row.carried_out_at, test_time + std::chrono::seconds{1});
    EXPECT_EQ(row.body_sha256, crypto::sha256("{}"));
}

TEST_F(OperatorActionTest, OfANewerReleaseIsShownAsSuch) {
    const auto connection = open_migrated();
    ASSERT_EQ(insert_action(*connection, action_of(1)), true);
    run(*connection, "ALTER TABLE operator_action MODIFY action VARCHAR(32) NOT NULL");
    run(*connection, "UPDATE operator_action SET action = 'refund'");
    EXPECT_EQ(actions_of_event(*connection, key_of(1)).value().at(0).kind, ActionKind::newer);
}

TEST_F(OperatorActionTest, CutsWhatPeopleWroteAndDoesWithoutTheRest) {
    const auto connection = open_migrated();
    const std::string lengthy(3000, 'x');
    OperatorAction action;
    action.object_key = action.operator_name = action.reason = lengthy;
    action.database_user = action.host = action.why = lengthy;
    ASSERT_EQ(insert_action(*connection, action), true) << connection->last_error().message;
    action.id = action_id(1);
    action.dead_letter = 9;
    ASSERT_EQ(insert_action(*connection, action), true);
    const auto rows = actions_of_dead_letter(*connection, 9).value();
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_FALSE(rows[0].run || rows[0].inbox || rows[0].body_sha256);
}

TEST_F(OperatorActionTest, IsAHistoryInTheOrderOfWhatWasDone) {
    const auto connection = open_migrated();
    for (const auto number : std::array<std::uint8_t, 3>{3, 1, 2})
        ASSERT_TRUE(insert_action(*connection, action_of(number)));
    const auto rows = actions_of_event(*connection, key_of(1)).value();
    EXPECT_TRUE(std::ranges::is_sorted(rows, {}, &ActionRow::carried_out_at));
    EXPECT_EQ(rows.size(), 3U);
    EXPECT_EQ(actions_of_dead_letter(*connection, 7).value().size(), 3U);
    EXPECT_TRUE(actions_of_event(*connection, key_of(2)).value().empty());
    const std::array<ActionId, 3> asked{action_id(1), action_id(9), action_id(3)};
    EXPECT_EQ(answered(*connection, asked).value().size(), 2U);
    EXPECT_TRUE(answered(*connection, {}).value().empty());
}

TEST_F(OperatorActionTest, SaysHowFarARunIsAndWhatDiedAgain) {
    const auto connection = open_migrated();
    DeadLetter death;
    death.place = {lane_key_of("object"), 4};
    death.topic = "t";
    const auto first = open_dead_letter(*connection, death, test_time).value();
    ASSERT_EQ(close_dead_letter(*connection, *first, ClosedAs::retried, test_time), 1);
    auto done = action_of(1);
    done.dead_letter = *first;
    auto refused = action_of(2);
    refused.answer = ActionAnswer::refused;
    ASSERT_TRUE(insert_action(*connection, done) && insert_action(*connection, refused));
    EXPECT_EQ(progress_of_run(*connection, action_id(200)).value().dead_again, 0);
    ASSERT_TRUE(open_dead_letter(*connection, death, test_time));
    const auto progress = progress_of_run(*connection, action_id(200)).value();
    EXPECT_EQ(progress.carried_out, 1);
    EXPECT_EQ(progress.refused, 1);
    EXPECT_EQ(progress.dead_again, 1);
    EXPECT_EQ(progress_of_run(*connection, action_id(201)).value().dead_again, 0);
}

TEST_F(OperatorActionTest, SaysWhatOfARunWasNotTriedYetAndWhyOthersWereRefused) {
    const auto connection = open_migrated();
    auto lane = make_lane(*connection, "object", test_time).value();
    const LaneRecord record{.inbox = {}, .topic = "t", .appended_at = test_time, .headers = "", .body = "{}"};
    const std::vector<std::string> effects{"pay"};
    const LaneRow row{.row = {.position = 1, .status = lane::Status::retry, .first_failed_at = {}},
                      .effects = effects};
    ASSERT_TRUE(append_event(*connection, lane, row, record));
    DeadLetter death;
    death.place = {lane.key, 1};
    death.topic = "t";
    auto done = action_of(1);
    done.dead_letter = *open_dead_letter(*connection, death, test_time).value();
    ASSERT_TRUE(insert_action(*connection, done));
    EXPECT_EQ(count_untried(*connection, action_id(200)).value(), 1);
    EXPECT_EQ(count_untried(*connection, action_id(201)).value(), 0);
    ASSERT_TRUE(connection->run("UPDATE lane_event SET attempts = 1"));
    EXPECT_EQ(count_untried(*connection, action_id(200)).value(), 0);

    for (const std::uint8_t number : std::array<std::uint8_t, 3>{2, 3, 4}) {
        auto refused = action_of(number);
        refused.answer = ActionAnswer::refused;
        refused.why = number == 3 ? "parked" : "finished";
        ASSERT_TRUE(insert_action(*connection, refused));
    }
    const auto refusals = refusals_of_run(*connection, action_id(200)).value();
    ASSERT_EQ(refusals.size(), 2U);
    EXPECT_EQ(refusals[0].why, "finished");
    EXPECT_EQ(refusals[0].count, 2);
    EXPECT_TRUE(refusals_of_run(*connection, action_id(201)).value().empty());
}

}  // namespace
}  // namespace sluice::store
