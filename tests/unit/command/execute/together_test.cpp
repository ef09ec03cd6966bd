#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <format>
#include <random>
#include <set>
#include <thread>

#include "command/key/key_of.hpp"
#include "consumer/store/command/command_key.hpp"
#include "consumer/store/driver/open_transaction.hpp"
#include "tests/unit/command/execute/together_fixture.hpp"

namespace sluice::command {
namespace {

using namespace std::chrono_literals;
using Kind = Answer::Kind;
using End = Attempted::End;

bool all_go_alone(const Together::All& all) {
    return std::ranges::none_of(all, [](const auto& one) { return one.has_value(); });
}

TEST_F(TogetherTest, EachHasItsAnswerAndTheirRowsAreThere) {
    const auto all = together({request("charge", "k1", "'account':'a','amount':6,'click':'1'"),
                               request("charge", "k2", "'account':'a','amount':5,'click':'2'"),
                               request("charge", "k3", "'account':'a','amount':4,'click':'3'"),
                               request("charge", "k4", "'account':'z','amount':4,'click':'4'"),
                               request("deposit", "k5", "'account':'z','amount':4")});
    const std::vector<std::string> wanted{R"({"charged":6})", R"({"error":"short","amount":5})",
                                          R"({"charged":4})", R"({"error":"unknown"})", R"({"paid":0})"};
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        ASSERT_TRUE(all[i]) << i;
        EXPECT_EQ(all[i]->answer.kind, Kind::executed);
        EXPECT_EQ(all[i]->answer.response.body, wanted[i]);
    }
    EXPECT_EQ(balance("a"), 0);
    EXPECT_EQ(number(*connection, "SELECT COUNT(*) FROM command_key"), 5);
    EXPECT_EQ(number(*connection, "SELECT COUNT(*) FROM click"), 2);
}

TEST_F(TogetherTest, WhatIsKnownGetsItsFirstResponse) {
    const auto charge = request("charge", "k1", "'account':'a','amount':6,'click':'1'");
    (void)together({charge, request("charge", "k2", "'account':'b','amount':1,'click':'2'")});
    const auto all = together({charge, request("charge", "k2", "'account':'b','amount':2,'click':'2'"),
                               request("charge", "k3", "'account':'b','amount':3,'click':'3'")});
    EXPECT_EQ(all[0]->answer.kind, Kind::replayed);
    EXPECT_EQ(all[0]->answer.response.body, R"({"charged":6})");
    EXPECT_EQ(all[1]->answer.kind, Kind::mismatch);
    EXPECT_EQ(all[2]->answer.kind, Kind::executed);
    EXPECT_EQ(balance("a"), 4);
    EXPECT_EQ(balance("b"), 6);
}

TEST_F(TogetherTest, AKeyThatExpiredGoesAloneAndIsANewOne) {
    const auto charge = request("deposit", "k1", "'account':'a','amount':6");
    (void)together({charge});
    run(*connection, "UPDATE command_key SET keep_until = UTC_TIMESTAMP(6)");
    const auto all = together({charge, request("deposit", "k2", "'account':'a','amount':1")});
    EXPECT_FALSE(all[0]);
    EXPECT_EQ(all[1]->answer.kind, Kind::executed);
    EXPECT_EQ(alone(charge).answer.kind, Kind::executed);
    EXPECT_EQ(balance("a"), 23);
}

TEST_F(TogetherTest, WhoseRowWasThereGoesAloneAndTheOthersDoNotWait) {
    run(*connection, "INSERT INTO click VALUES ('2', 'a')");
    const auto all = together({request("charge", "k1", "'account':'a','amount':6,'click':'1'"),
                               request("charge", "k2", "'account':'a','amount':1,'click':'2'"),
                               request("charge", "k3", "'account':'a','amount':4,'click':'3'")});
    EXPECT_EQ(all[0]->answer.kind, Kind::executed);
    EXPECT_FALSE(all[1]);
    EXPECT_EQ(all[2]->answer.kind, Kind::executed);
    EXPECT_EQ(balance("a"), 0);
}

TEST_F(TogetherTest, AStatementThatFailsLeavesNothing) {
    const auto before = tables();
    const auto all = together({request("charge", "k1", "'account':'a','amount':6,'click':'1'"),
                               request("charge", "k2", "'account':'a','amount':1,'click':'123456789'")});
    EXPECT_FALSE(all[0]);
    EXPECT_FALSE(all[1]);
    EXPECT_EQ(tables(), before);
}

TEST_F(TogetherTest, ALockHoldsNobodyForLong) {
    const auto before = tables();
    const auto other = open();
    auto held = store::OpenTransaction::begin(*other);
    run(*other, "UPDATE account SET balance = 9 WHERE name = 'b'");
    const auto all = together({request("deposit", "k1", "'account':'a','amount':6"),
                               request("deposit", "k2", "'account':'b','amount':6")},
                              100ms);
    EXPECT_TRUE(all_go_alone(all));
    held->roll_back();
    EXPECT_EQ(tables(), before);
}

TEST_F(TogetherTest, AKeyThatAnotherProcessCommitsMeanwhileIsReplayed) {
    const auto deposit = request("deposit", "k1", "'account':'a','amount':6");
    const auto first = open();
    auto open = store::OpenTransaction::begin(*first);
    PreparedCommand command{*set.find("deposit"), deposit, clock.wall()};
    ASSERT_TRUE(
        store::insert_command_key(*first, {command.key(), deposit.fingerprint, "deposit", "ads", "k1", 1h}));
    ASSERT_TRUE(store::write_response(*first, command.key(), {200, "application/json", "first"}));
    auto watcher = this->open();
    run(*watcher, "SET SESSION TRANSACTION ISOLATION LEVEL READ UNCOMMITTED");
    std::jthread ends{[&] {
        // Once the batch has looked for the keys and has changed the account.
        while (number(*watcher, "SELECT balance FROM account WHERE name = 'a'") == 10) {
        }
        EXPECT_TRUE(open->commit());
    }};
    const auto all = together({deposit, request("deposit", "k2", "'account':'a','amount':1")});
    ASSERT_TRUE(all[0] && all[1]);
    EXPECT_EQ(all[0]->answer.kind, Kind::replayed);
    EXPECT_EQ(all[0]->answer.response.body, "first");
    EXPECT_EQ(all[1]->answer.kind, Kind::executed);
    EXPECT_EQ(balance("a"), 11);
}

TEST_F(TogetherTest, ALostSessionLeavesAllToGoAlone) {
    const auto other = open();
    const auto id = number(*connection, "SELECT CONNECTION_ID()");
    run(*other, "KILL " + std::to_string(id));
    const auto all = together({request("deposit", "k1", "'account':'a','amount':6"),
                               request("deposit", "k2", "'account':'b','amount':6")});
    EXPECT_TRUE(all_go_alone(all));
    connection = open();
}

class Chance {
public:
    explicit Chance(unsigned seed) : random_{seed} {}
    int below(int limit) { return std::uniform_int_distribution{0, limit - 1}(random_); }

private:
    std::mt19937 random_;
};

// What has to go alone comes after the others; so it does one by one.
TEST_F(TogetherTest, BatchesGiveWhatTheirCommandsGiveOneByOne) {
    const char* given = std::getenv("SLUICE_TEST_SEED");
    const unsigned seed =
        given != nullptr ? static_cast<unsigned>(std::strtoul(given, nullptr, 10)) : std::random_device{}();
    SCOPED_TRACE("again with SLUICE_TEST_SEED=" + std::to_string(seed));
    Chance chance{seed};
    const auto any_request = [&](const std::string& key) {
        static constexpr const char* names[] = {"charge", "charge", "click-first", "deposit", "note", "move"};
        const int word = chance.below(40);
        return request(
            names[chance.below(6)], key,
            std::format("'account':'{}','to':'{}','amount':{},'click':'{}'",
                        static_cast<char>('a' + chance.below(4)), static_cast<char>('a' + chance.below(4)),
                        1 + chance.below(9), word == 0 ? "too long for it" : std::to_string(word)));
    };
    std::vector<std::vector<Request>> batches;
    for (int i = 0; i < 60; ++i) {
        std::set<int> keys;
        for (int left = 1 + chance.below(12); left > 0; --left) keys.insert(chance.below(150));
        auto& batch = batches.emplace_back();
        for (const int key : keys) batch.push_back(any_request("k" + std::to_string(key)));
        // A request that came before, as it was.
        if (i > 0 && !keys.contains(200))
            batch.push_back(batches[static_cast<std::size_t>(chance.below(i))].front());
        std::set<crypto::Digest> seen;
        std::erase_if(batch, [&](const Request& one) { return !seen.insert(digest_of(one.key)).second; });
    }
    std::vector<std::vector<Answer>> told;
    std::vector<std::vector<bool>> went_alone;
    int together_count = 0;
    for (const auto& batch : batches) {
        auto all = together(batch);
        auto& answers = told.emplace_back(batch.size());
        auto& alone_ones = went_alone.emplace_back(batch.size());
        for (std::size_t i = 0; i < batch.size(); ++i) {
            alone_ones[i] = !all[i];
            if (all[i]) answers[i] = all[i]->answer;
            together_count += all[i] ? 1 : 0;
        }
        for (std::size_t i = 0; i < batch.size(); ++i)
            if (alone_ones[i]) answers[i] = alone(batch[i]).answer;
    }
    EXPECT_GT(together_count, 100);
    const auto as_batches = tables();
    begin_anew();
    for (std::size_t n = 0; n < batches.size(); ++n) {
        for (const bool is_alone : {false, true}) {
            for (std::size_t i = 0; i < batches[n].size(); ++i) {
                if (went_alone[n][i] != is_alone) continue;
                const auto wanted = alone(batches[n][i]).answer;
                EXPECT_EQ(told[n][i].kind, wanted.kind) << n << " " << i << " " << batches[n][i].body;
                EXPECT_EQ(told[n][i].response, wanted.response) << n << " " << i << " " << batches[n][i].body;
                EXPECT_EQ(told[n][i].why, wanted.why);
            }
        }
    }
    EXPECT_EQ(as_batches, tables());
}

}  // namespace
}  // namespace sluice::command
