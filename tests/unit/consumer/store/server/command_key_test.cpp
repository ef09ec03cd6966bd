#include "consumer/store/command/command_key.hpp"

#include "common/error.hpp"
#include "consumer/store/command/command_list.hpp"
#include "consumer/store/driver/open_transaction.hpp"
#include "consumer/store/driver/statement_watch.hpp"
#include "consumer/store/driver/time_limit.hpp"
#include "tests/unit/consumer/store/server/fixture.hpp"

namespace sluice::store {
namespace {

using namespace std::chrono_literals;

const CommandResponse charged{.status = 200, .content_type = "application/json", .body = R"({"charged":7})"};

class CommandKeyTest : public ServerTest {
protected:
    void SetUp() override {
        ServerTest::SetUp();
        connection = open_migrated();
        other = open();
    }

    bool insert(Connection& session, std::chrono::seconds keep = 1h) {
        return insert_command_key(session, {.key = key,
                                            .fingerprint = asked,
                                            .command = "charge-click",
                                            .caller = "ads",
                                            .caller_key = "click-1",
                                            .keep = keep})
            .value();
    }
    void charge(std::chrono::seconds keep = 1h) {
        auto open = OpenTransaction::begin(*connection);
        ASSERT_TRUE(insert(*connection, keep));
        ASSERT_TRUE(write_response(*connection, key, charged));
        ASSERT_TRUE(open->commit());
    }
    /// Of state N, under the key N, which ends N minutes and `hours` from now.
    void keep_one_of_each_state(int hours) {
        for (const int state : {0, 1, 2, 3})
            run(*connection, "INSERT INTO command_key SET key_digest = UNHEX(SHA2('" + std::to_string(state) +
                                 "', 256)), fingerprint = '', command = 'c', caller = 'a', caller_key = '" +
                                 std::to_string(state) + "', state = " + std::to_string(state) +
                                 ", keep_until = UTC_TIMESTAMP(6) + INTERVAL " +
                                 std::to_string(60 * hours + state) + " MINUTE");
    }
    static std::string keys_in(const std::vector<CommandRow>& commands) {
        std::string keys;
        for (const auto& command : commands) keys += command.caller_key;
        return keys;
    }
    std::int64_t rows() { return number(*other, "SELECT COUNT(*) FROM command_key"); }

    const crypto::Digest key = crypto::sha256("ads charge-click click-1");
    const crypto::Digest asked = crypto::sha256("7 cents");
    std::unique_ptr<Connection> connection;
    std::unique_ptr<Connection> other;
};

TEST_F(CommandKeyTest, AResponseIsKeptAsItWasGiven) {
    charge();
    const auto known = find_command_key(*other, key).value();
    ASSERT_TRUE(known);
    EXPECT_EQ(known->fingerprint, asked);
    EXPECT_EQ(known->response->status, 200);
    EXPECT_EQ(known->response->content_type, "application/json");
    EXPECT_EQ(known->response->body, charged.body);
    EXPECT_FALSE(known->has_expired);
    EXPECT_FALSE(find_command_key(*other, asked).value());
}

TEST_F(CommandKeyTest, ASecondOneFindsTheKeyTaken) {
    charge();
    auto open = OpenTransaction::begin(*other);
    EXPECT_FALSE(insert(*other));
    EXPECT_EQ(find_command_key(*other, key).value()->response->body, charged.body)
        << "the transaction goes on";
}

TEST_F(CommandKeyTest, AKeyThatIsOpenIsSeenByThoseWhoAskAndByNobodyElse) {
    auto open = OpenTransaction::begin(*connection);
    ASSERT_TRUE(insert(*connection));
    EXPECT_FALSE(find_command_key(*other, key).value());
    EXPECT_TRUE(open_command_key(*other, key).value());
    EXPECT_FALSE(find_command_key(*other, key).value()) << "the session reads what is committed again";
    open->roll_back();
    EXPECT_FALSE(open_command_key(*other, key).value());
}

TEST_F(CommandKeyTest, ALookThatFailsLeavesNoSessionThatSeesWhatIsOpen) {
    const SystemClock clock;
    const auto mysql = settings();
    Log log{{.program = "test", .level = LogLevel::error, .descriptor = 2}};
    StatementWatch watch{mysql, clock, log};
    other->be_watched(watch);
    auto open = OpenTransaction::begin(*connection);
    ASSERT_TRUE(insert(*connection));
    {
        const TimeLimit limit{*other, 0ms};
        EXPECT_EQ(class_of_failure(open_command_key(*other, key)), ErrorClass::overdue);
    }
    EXPECT_FALSE(other->in_transaction());
    auto next = OpenTransaction::begin(*other);
    EXPECT_FALSE(find_command_key(*other, key).value());
}

TEST_F(CommandKeyTest, WhoeverInsertsAnOpenKeyWaitsForItsEnd) {
    const SystemClock clock;
    const auto mysql = settings();
    Log log{{.program = "test", .level = LogLevel::error, .descriptor = 2}};
    StatementWatch watch{mysql, clock, log};
    other->be_watched(watch);
    auto open = OpenTransaction::begin(*connection);
    ASSERT_TRUE(insert(*connection));
    {
        auto waiting = OpenTransaction::begin(*other);
        const TimeLimit limit{*other, 100ms};
        const NewCommandKey same{key, asked, "charge-click", "ads", "click-1", 1h};
        EXPECT_EQ(class_of_failure(insert_command_key(*other, same)), ErrorClass::overdue);
    }
    {
        const TimeLimit limit{*other, 100ms};
        auto waiting = OpenTransaction::begin(*other);
        EXPECT_EQ(class_of_failure(settled_command_key(*other, key)), ErrorClass::overdue);
    }
    open->roll_back();
    auto next = OpenTransaction::begin(*other);
    EXPECT_FALSE(settled_command_key(*other, key).value());
    EXPECT_TRUE(insert(*other));
}

TEST_F(CommandKeyTest, AResponseNeedsItsRow) {
    EXPECT_EQ(write_response(*connection, key, charged).error(), errc::unlisted_row_count);
}

TEST_F(CommandKeyTest, AKeyThatExpiredIsANewOne) {
    charge(0s);
    EXPECT_TRUE(find_command_key(*other, key).value()->has_expired);
    EXPECT_FALSE(open_command_key(*other, key).value());
    auto open = OpenTransaction::begin(*connection);
    ASSERT_TRUE(forget_expired_key(*connection, key));
    EXPECT_TRUE(insert(*connection));
    ASSERT_TRUE(forget_expired_key(*connection, key));
    EXPECT_TRUE(find_command_key(*connection, key).value()) << "it has not expired";
}

TEST_F(CommandKeyTest, ExpiredRowsGoInBatchesTheOldestFirst) {
    for (int i = 0; i < 5; ++i)
        run(*connection, "INSERT INTO command_key SET key_digest = UNHEX(SHA2('" + std::to_string(i) +
                             "', 256)), fingerprint = '', command = 'c', caller = 'a', caller_key = '" +
                             std::to_string(i) + "', keep_until = UTC_TIMESTAMP(6) - INTERVAL " +
                             std::to_string(i) + " HOUR");
    charge();
    EXPECT_GE(oldest_expired_key(*connection).value(), 4h);
    EXPECT_EQ(delete_expired_keys(*connection, 2).value(), 2);
    EXPECT_EQ(text(*other, "SELECT GROUP_CONCAT(caller_key ORDER BY keep_until) FROM command_key"),
              "2,1,0,click-1");
    EXPECT_EQ(delete_expired_keys(*connection, 100).value(), 3);
    EXPECT_EQ(delete_expired_keys(*connection, 100).value(), 0);
    EXPECT_EQ(oldest_expired_key(*connection).value(), 0us) << "what is kept has not expired";
    EXPECT_EQ(rows(), 1);
}

TEST_F(CommandKeyTest, WhatEndedExpiresHoweverItEndedAndACallInProgressStays) {
    keep_one_of_each_state(-1);
    for (const int state : {1, 2, 3}) {
        const std::string hours = std::to_string(10 * state);
        run(*connection, "UPDATE command_key SET keep_until = UTC_TIMESTAMP(6) - INTERVAL " + hours +
                             " HOUR WHERE state = " + std::to_string(state));
        EXPECT_GE(oldest_expired_key(*connection).value(), 10h * state) << "each state may have the oldest";
    }
    EXPECT_EQ(delete_expired_keys(*connection, 2).value(), 2);
    EXPECT_EQ(delete_expired_keys(*connection, 2).value(), 1);
    EXPECT_EQ(text(*other, "SELECT GROUP_CONCAT(state) FROM command_key"), "0");
    EXPECT_EQ(oldest_expired_key(*connection).value(), 0us);
}

TEST_F(CommandKeyTest, APageHasAllStatesInTheOrderOfTheirEndAndFailedIsTwoOfThem) {
    keep_one_of_each_state(1);
    const auto all = list_commands(*connection, {}, 9, {}).value();
    EXPECT_EQ(keys_in(all), "3210");
    EXPECT_EQ(keys_in(list_commands(*connection, {}, 3, {}).value()), "321");
    const CommandPlace second{all.at(1).keep_until, all.at(1).key};
    EXPECT_EQ(keys_in(list_commands(*connection, {}, 9, second).value()), "10");
    EXPECT_EQ(keys_in(list_commands(*connection, {.state = "failed"}, 9, {}).value()), "32");
    EXPECT_EQ(keys_in(list_commands(*connection, {.state = "done"}, 9, {}).value()), "1");
    EXPECT_EQ(keys_in(list_commands(*connection, {.state = "in_progress"}, 9, {}).value()), "0");
}

TEST_F(CommandKeyTest, AnEmptyTableHasNothingThatExpired) {
    EXPECT_EQ(oldest_expired_key(*connection).value(), 0us);
}

}  // namespace
}  // namespace sluice::store
