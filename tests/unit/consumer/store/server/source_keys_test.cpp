#include "consumer/store/schema/source_keys.hpp"

#include "consumer/store/driver/meta.hpp"
#include "tests/unit/consumer/store/server/fixture.hpp"

namespace sluice::store {
namespace {

using SourceKeysTest = ServerTest;
using Keys = std::vector<record::SourceKeys>;

const record::SourceKeys one{"/one", "stripe", "acct_a", "id: \"/id\""};
const record::SourceKeys longer{"/one", "stripe", "acct_a", "id: \"/id\" | \"/n\""};
const record::SourceKeys elsewhere{"/elsewhere", "stripe", "acct_a", "id: \"/code\""};

Keys recorded(Connection& connection) {
    Keys keys;
    const auto rows = recorded_keys(connection).value();
    for (const auto& there : rows) keys.push_back(there.keys);
    return keys;
}

TEST_F(SourceKeysTest, TheFirstFileIsWrittenDownAndAnotherOneChangesNothing) {
    const auto connection = open_migrated();
    EXPECT_TRUE(agree_on_keys(*connection, Keys{one}, WallTime{}).value().empty());
    const auto changes = agree_on_keys(*connection, Keys{elsewhere}, WallTime{}).value();
    ASSERT_EQ(changes.size(), 1U) << "another path of the same account";
    EXPECT_EQ(changes.front().before, one);
    EXPECT_EQ(recorded(*connection), Keys{one});
}

TEST_F(SourceKeysTest, AnIdWithMoreAlternativesIsWrittenDown) {
    const auto connection = open_migrated();
    EXPECT_TRUE(agree_on_keys(*connection, Keys{one}, WallTime{}).value().empty());
    EXPECT_TRUE(agree_on_keys(*connection, Keys{longer}, WallTime{}).value().empty());
    EXPECT_TRUE(agree_on_keys(*connection, Keys{one}, WallTime{}).value().empty());
    EXPECT_EQ(recorded(*connection), Keys{longer});
}

TEST_F(SourceKeysTest, AcceptedKeysTakeThePlaceOfTheirAccounts) {
    const auto connection = open_migrated();
    const record::SourceKeys other{"/other", "paddle", "acct_a", "id: \"/id\""};
    EXPECT_TRUE(agree_on_keys(*connection, Keys{one, other}, WallTime{}).value().empty());
    const WallTime now{std::chrono::sys_days{std::chrono::year{2026} / 11 / 23}};
    ASSERT_TRUE(accept_keys(*connection, Keys{elsewhere}, {"ada", "a new recipe", now}));
    EXPECT_EQ(recorded(*connection), (Keys{elsewhere, other}));
    const auto rows = recorded_keys(*connection).value();
    EXPECT_EQ(rows.front().operator_name, "ada");
    EXPECT_EQ(rows.front().recorded_at, now);
    EXPECT_EQ(rows.back().operator_name, "");
    EXPECT_TRUE(agree_on_keys(*connection, Keys{elsewhere, other}, WallTime{}).value().empty());
    EXPECT_FALSE(agree_on_keys(*connection, Keys{one}, WallTime{}).value().empty());
}

TEST_F(SourceKeysTest, WhoeverWritesThemKeepsOtherWritersOut) {
    const auto connection = open_migrated();
    EXPECT_TRUE(agree_on_keys(*connection, Keys{one}, WallTime{}).value().empty());
    ASSERT_TRUE(connection->begin());
    ASSERT_TRUE(lock_meta(*connection, meta::keys));
    const auto other = open({.lock_wait = std::chrono::seconds{1}});
    EXPECT_TRUE(agree_on_keys(*other, Keys{one}, WallTime{})) << "who has nothing to write waits for nobody";
    EXPECT_EQ(class_of_failure(agree_on_keys(*other, Keys{longer}, WallTime{})), ErrorClass::lost_lock);
    EXPECT_EQ(class_of_failure(accept_keys(*other, Keys{elsewhere}, {"ada", "meanwhile", WallTime{}})),
              ErrorClass::lost_lock);
    ASSERT_TRUE(connection->commit());
    EXPECT_EQ(recorded(*connection), Keys{one});
    EXPECT_TRUE(agree_on_keys(*other, Keys{longer}, WallTime{}).value().empty());
}

TEST_F(SourceKeysTest, ObjectsOfAnAccountThatWaitAreCounted) {
    const auto connection = open_migrated();
    const auto add = [&](const std::string& key, int unfinished) {
        ASSERT_TRUE(connection->run(
            "INSERT INTO lane (lane_key, object_key, generation, wakeup_sent, unfinished, last_position,"
            " updated_at) VALUES (UNHEX(SHA2('" +
            key + "', 256)), '" + key + "', 1, 1, " + std::to_string(unfinished) + ", 1, UTC_TIMESTAMP(6))"));
    };
    add("stripe/acct_a/pi_1", 2);
    add("stripe/acct_a/pi_2", 0);
    add("stripe/acct_ab/pi_1", 1);
    add("stripe/acct_a%/pi_1", 1);
    EXPECT_EQ(count_unfinished_objects(*connection, "stripe", "acct_a").value(), 1);
    EXPECT_EQ(count_unfinished_objects(*connection, "stripe", "acct_b").value(), 0);
}

}  // namespace
}  // namespace sluice::store
