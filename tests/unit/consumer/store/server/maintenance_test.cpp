#include "consumer/store/retention/maintenance.hpp"

#include <format>
#include <optional>

#include "common/time_text.hpp"
#include "consumer/store/driver/meta.hpp"
#include "consumer/store/driver/named_lock.hpp"
#include "consumer/store/erasure/erasure.hpp"
#include "consumer/store/inbox/day_partitions.hpp"
#include "consumer/store/inbox/payload.hpp"
#include "tests/unit/consumer/store/server/events.hpp"
#include "tests/unit/consumer/store/server/fixture.hpp"

namespace sluice::store {
namespace {

using namespace std::chrono_literals;
using std::chrono::days;

constexpr days keep{90};
constexpr days keep_closed{400};
const config::InboxSettings retention{.keep = keep, .keep_closed = keep_closed};
constexpr WallTime start = test_day + 10h;

/// Maintenance at any time: the session's clock is set to it, as the server's would be.
class MaintenanceTest : public ServerTest {
protected:
    void SetUp() override {
        ServerTest::SetUp();
        connection = open_migrated();
    }

    void TearDown() override {
        connection.reset();
        ServerTest::TearDown();
    }

    MaintenanceReport round_at(WallTime now) {
        set_clock(now);
        const auto report = maintain(*connection, settings, callbacks, now);
        if (!report) throw std::runtime_error("maintain: " + connection->last_error().message);
        return *report;
    }

    void set_clock(WallTime now) {
        run(*connection,
            "SET SESSION timestamp = " +
                std::to_string(std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count()));
    }

    void put(int number, std::chrono::sys_days day, InboxStatus status = InboxStatus::done,
             DlqRecord dlq = DlqRecord::none, WallTime received = start) {
        auto entry = entry_of(number);
        entry.key.event_day = day;
        entry.status = status;
        entry.dlq = dlq;
        entry.received_at = received;
        const PayloadEntry payload{entry.key, "[]", "{}"};
        ASSERT_TRUE(insert(*connection, {&entry, 1})) << connection->last_error().message;
        ASSERT_TRUE(insert_payloads(*connection, {&payload, 1}));
    }

    /// With the id `number`; nullopt: it is open.
    void put_entry(int number, std::optional<WallTime> closed) {
        const std::string closed_at = closed ? "'" + datetime(*closed) + "', 'closed'" : "NULL, NULL";
        const auto id = std::to_string(number);
        run(*connection,
            "INSERT INTO dead_letter (id, kind, object_key, source, type, event_id, error_class, error_text,"
            " attempts, first_failed_at, topic, partition_no, offset_no, seen_once, dlq_sent, opened_at, "
            "headers,"
            " body, closed_at, closed_as) VALUES (" +
                (number == 0 ? "100000" : id) +
                ", 'conflict', 'o', 's', 't', 'e', 'c', '', 1, '2026-01-01', 'topic', 0, " + id +
                ", UNHEX(SHA2(" + id + ", 256)), 1, '2026-01-01', '[]', '{}', " + closed_at + ")");
    }

    void put_action(int dead_letter, WallTime carried_out) {
        run(*connection,
            "INSERT INTO operator_action (id, action, answer, object_key, dead_letter, operator, reason,"
            " database_user, host, requested_at, carried_out_at) VALUES (UNHEX(LEFT(SHA2('" +
                std::to_string(dead_letter) + "', 256), 32)), 'close', 'carried_out', 'o', " +
                std::to_string(dead_letter) + ", 'a', 'b', 'c', 'd', '2026-01-01', '" +
                datetime(carried_out) + "')");
    }

    static std::string datetime(WallTime at) {
        return std::format("{:%F %T}", std::chrono::floor<std::chrono::seconds>(at));
    }

    std::int64_t rows(const std::string& table) {
        return number(*connection, "SELECT COUNT(*) FROM " + table);
    }

    bool has_partition(const std::string& table, std::chrono::sys_days day) {
        const auto partitions = read_partitions(*connection, table).value();
        for (const auto& partition : partitions) {
            if (partition.name == partition_name(day)) return partition.bound == day + days{1};
        }
        return false;
    }

    std::unique_ptr<Connection> connection;
    config::InboxSettings settings = retention;
    config::CallbackSettings callbacks{};
};

TEST_F(MaintenanceTest, MakesPartitionsAWeekAhead) {
    const auto report = round_at(start);
    EXPECT_TRUE(report.had_lock);
    EXPECT_EQ(report.partitions_added, 16);
    EXPECT_EQ(report.days_ahead, 7);
    for (const auto* table : {"inbox", "event_payload"}) {
        for (int ahead = 0; ahead <= 7; ++ahead)
            EXPECT_TRUE(has_partition(table, test_day + days{ahead})) << table;
        EXPECT_EQ(read_partitions(*connection, table)->size(), 10U);
    }
    EXPECT_EQ(round_at(start).partitions_added, 0);
    EXPECT_EQ(round_at(start + 24h).partitions_added, 2);
}

TEST_F(MaintenanceTest, KeepsRowsThatLieInTheNewestPartition) {
    put(1, test_day + days{3});
    put(2, test_day - days{50});
    put(3, test_day + days{100});
    put(4, record::undated);
    static_cast<void>(round_at(start));
    EXPECT_EQ(rows("inbox"), 4);
    EXPECT_EQ(rows("inbox PARTITION (" + partition_name(test_day + days{3}) + ")"), 1);
    EXPECT_EQ(rows("inbox PARTITION (p_newest)"), 1);
    EXPECT_EQ(rows("inbox PARTITION (p_undated)"), 1);
    EXPECT_TRUE(*find(*connection, {test_day + days{3}, key_of(1).dedup_key}));
}

TEST_F(MaintenanceTest, PromisesAndDropsADayLater) {
    static_cast<void>(round_at(start));
    put(1, test_day);
    put(2, test_day + days{1});
    const auto late = start + keep + days{1};  // test_day is past keep now
    put(3, record::undated, InboxStatus::done, DlqRecord::none, late);

    const auto promise = round_at(late);
    EXPECT_TRUE(promise.announced);
    EXPECT_EQ(promise.partitions_dropped, 0);
    EXPECT_EQ(**dropped_before(*connection), test_day + days{1});
    EXPECT_EQ(rows("inbox"), 3);

    EXPECT_EQ(round_at(late + 23h).partitions_dropped, 0);
    const auto drop = round_at(late + 24h);
    EXPECT_EQ(drop.partitions_dropped, 2);
    EXPECT_FALSE(has_partition("inbox", test_day));
    EXPECT_FALSE(has_partition("event_payload", test_day));
    EXPECT_TRUE(has_partition("inbox", test_day + days{1}));
    EXPECT_EQ(rows("inbox"), 2);
    EXPECT_EQ(rows("event_payload"), 2);
    EXPECT_TRUE(drop.announced) << "the next day is past keep by now";
}

TEST_F(MaintenanceTest, KeepsDaysOfCallbacksForTheirOwnTime) {
    callbacks = {.recorded = true, .keep = days{3}};
    static_cast<void>(round_at(start));
    EXPECT_TRUE(has_partition("callback", test_day));
    EXPECT_TRUE(has_partition("callback", test_day + days{7}));
    EXPECT_EQ(round_at(start + days{3}).partitions_dropped, 0);
    EXPECT_EQ(round_at(start + days{4}).partitions_dropped, 1);
    EXPECT_FALSE(has_partition("callback", test_day));
    EXPECT_TRUE(has_partition("callback", test_day + days{1}));
    EXPECT_TRUE(has_partition("inbox", test_day));
}

TEST_F(MaintenanceTest, DropsDaysOfCallbacksThatAreRecordedNoMore) {
    callbacks = {.recorded = true, .keep = days{3}};
    static_cast<void>(round_at(start));
    callbacks.recorded = false;
    static_cast<void>(round_at(start + days{4}));
    EXPECT_FALSE(has_partition("callback", test_day));
    EXPECT_FALSE(has_partition("callback", test_day + days{8})) << "none is made for nothing";
}

TEST_F(MaintenanceTest, HoldsADayWithUnfinishedRows) {
    static_cast<void>(round_at(start));
    put(1, test_day, InboxStatus::parked);
    put(2, test_day + days{1}, InboxStatus::done, DlqRecord::owed);
    put(3, test_day + days{2}, InboxStatus::dead, DlqRecord::sent);
    put(4, test_day + days{3}, InboxStatus::skipped, DlqRecord::sent);
    const auto late = start + keep + days{4};
    static_cast<void>(round_at(late));
    const auto report = round_at(late + 24h);
    EXPECT_EQ(report.partitions_held, 3);
    EXPECT_EQ(report.partitions_dropped, 2);  // of two tables
    EXPECT_EQ(rows("inbox"), 3);
    EXPECT_EQ(rows("event_payload"), 3);
    EXPECT_TRUE(*find_payload(*connection, {test_day, key_of(1).dedup_key}));
}

TEST_F(MaintenanceTest, DropsAHeldDayOnceItsRowsAreFinished) {
    static_cast<void>(round_at(start));
    put(1, test_day, InboxStatus::dead, DlqRecord::sent);
    const auto late = start + keep + days{1};
    static_cast<void>(round_at(late));
    EXPECT_EQ(round_at(late + 24h).partitions_held, 1);
    run(*connection, "UPDATE inbox SET status = 'skipped'");
    static_cast<void>(round_at(late + 48h));
    EXPECT_EQ(rows("inbox"), 0);
}

TEST_F(MaintenanceTest, DropsAPayloadThatACrashLeftBehind) {
    static_cast<void>(round_at(start));
    put(1, test_day);
    const auto late = start + keep + days{1};
    static_cast<void>(round_at(late));
    run(*connection, "ALTER TABLE inbox DROP PARTITION " + partition_name(test_day));
    EXPECT_EQ(round_at(late + 24h).partitions_dropped, 1);
    EXPECT_EQ(rows("event_payload"), 0);
}

TEST_F(MaintenanceTest, DeletesOldUndatedRowsThatAreFinished) {
    const auto now = start + keep + 1h;
    set_clock(now);
    int number = 0;
    for (; number < 2500; ++number) put(number, record::undated, InboxStatus::done, DlqRecord::none, start);
    put(++number, record::undated, InboxStatus::done, DlqRecord::none, start + 2h);  // young
    put(++number, record::undated, InboxStatus::dead, DlqRecord::sent, start);       // open entry
    put(++number, record::undated, InboxStatus::parked, DlqRecord::none, start);     // unfinished
    put(++number, test_day, InboxStatus::done, DlqRecord::none, start);              // dated
    const auto report = round_at(now);
    EXPECT_EQ(report.undated_deleted, 2500);
    EXPECT_EQ(rows("inbox"), 4);
    EXPECT_EQ(rows("event_payload"), 4);
    put(++number, record::undated, InboxStatus::done, DlqRecord::none, start);
    EXPECT_EQ(round_at(now + 1h).undated_deleted, 0) << "one sweep a day";
    EXPECT_EQ(round_at(now + 24h).undated_deleted, 2);
}

TEST_F(MaintenanceTest, RemembersTheKeysOfUndatedRowsThatGo) {
    for (int number = 0; number < 1500; ++number)
        put(number, record::undated, InboxStatus::done, DlqRecord::none, start);
    put(1500, test_day, InboxStatus::done, DlqRecord::none, start);
    EXPECT_EQ(round_at(start + keep + 1h).undated_deleted, 1500);
    EXPECT_EQ(rows("undated_key"), 1500);
    auto gone = entry_of(7);
    gone.key.event_day = record::undated;
    const auto found = find(*connection, gone.key).value();
    ASSERT_TRUE(found);
    EXPECT_EQ(found->status, InboxStatus::done);
    EXPECT_EQ(found->content_digest, gone.content_digest);
    EXPECT_EQ(found->source, "stripe-eu");
    EXPECT_EQ(rows("event_payload"), 1);
    // Once more, by hand: what was remembered before stays as it is.
    put(7, record::undated, InboxStatus::done, DlqRecord::none, start);
    EXPECT_EQ(round_at(start + keep + 25h).undated_deleted, 1);
    EXPECT_EQ(rows("undated_key"), 1500);
}

TEST_F(MaintenanceTest, ForgetsKeysPastKeepUndatedAndKeepsNoneWhereThatIsNoLonger) {
    settings.keep_undated = days{120};
    put(1, record::undated, InboxStatus::done, DlqRecord::none, start);
    put(2, record::undated, InboxStatus::done, DlqRecord::none, start + days{10});
    static_cast<void>(round_at(start + keep + days{11}));
    EXPECT_EQ(rows("undated_key"), 2);
    EXPECT_EQ(round_at(start + days{120}).undated_forgotten, 0) << "not a day too early";
    EXPECT_EQ(round_at(start + days{121}).undated_forgotten, 1);
    EXPECT_EQ(rows("undated_key"), 1);
    settings.keep_undated = keep;
    put(3, record::undated, InboxStatus::done, DlqRecord::none, start);
    const auto report = round_at(start + days{123});
    EXPECT_EQ(report.undated_deleted, 1);
    EXPECT_EQ(report.undated_forgotten, 1);
    EXPECT_EQ(rows("undated_key") + rows("inbox"), 0);
}

TEST_F(MaintenanceTest, DeletesOldRowsOfTheSelfTest) {
    const auto insert_one = [this](const std::string& event, WallTime applied) {
        set_clock(applied);
        run(*connection, "INSERT INTO sluice_selftest (event) VALUES ('" + event + "')");
    };
    for (int number = 0; number < 1001; ++number) insert_one("old-" + std::to_string(number), start);
    insert_one("young", start + 2h);
    EXPECT_EQ(round_at(start + keep + 1h).selftests_deleted, 1001);
    EXPECT_EQ(text(*connection, "SELECT event FROM sluice_selftest"), "young");
    EXPECT_EQ(round_at(start + keep + 4h).selftests_deleted, 0) << "one sweep a day";
    EXPECT_EQ(round_at(start + keep + 25h).selftests_deleted, 1);
}

TEST_F(MaintenanceTest, TakesTheBodiesOfClosedEntriesAfterKeep) {
    for (int number = 0; number < 1001; ++number) put_entry(number, start);
    put_entry(2001, start + 2h);
    put_entry(2002, std::nullopt);
    EXPECT_EQ(round_at(start + keep + 1h).dead_letters_cleared, 1001);
    EXPECT_EQ(rows("dead_letter WHERE body IS NULL AND headers IS NULL"), 1001);
    EXPECT_EQ(rows("dead_letter"), 1003) << "the entries stay";
    put_entry(2003, start + 3h);
    EXPECT_EQ(round_at(start + keep + 4h).dead_letters_cleared, 0) << "one sweep a day";
    EXPECT_EQ(round_at(start + keep + 25h).dead_letters_cleared, 2) << "only what was closed since";
    EXPECT_EQ(text(*connection, "SELECT body FROM dead_letter WHERE closed_at IS NULL"), "{}");
}

TEST_F(MaintenanceTest, AWalkThatEndedHalfwayIsRepeatedWhole) {
    for (int number = 0; number < 1500; ++number) put_entry(number, start + std::chrono::seconds{number});
    run(*connection,
        "CREATE TRIGGER halfway BEFORE UPDATE ON dead_letter FOR EACH ROW IF NEW.id = 1200 THEN"
        " SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = 9999, MESSAGE_TEXT = 'no'; END IF");
    set_clock(start + keep + 1h);
    EXPECT_FALSE(maintain(*connection, settings, callbacks, start + keep + 1h));
    EXPECT_EQ(rows("dead_letter WHERE body IS NULL"), 1000) << "the first chunk is done";
    run(*connection, "DROP TRIGGER halfway");
    EXPECT_EQ(round_at(start + keep + 2h).dead_letters_cleared, 500) << "at once, and only what is left";
    EXPECT_EQ(rows("dead_letter WHERE body IS NULL"), 1500);
}

TEST_F(MaintenanceTest, DeletesClosedEntriesAndActionsAfterKeepClosed) {
    put_entry(1, start);
    put_entry(2, start + 2h);
    put_entry(3, std::nullopt);
    put_action(1, start);
    put_action(2, start + 2h);
    put_action(3, start);
    const auto report = round_at(start + keep_closed + 1h);
    EXPECT_EQ(report.dead_letters_deleted, 1);
    EXPECT_EQ(report.actions_deleted, 1);
    EXPECT_EQ(rows("dead_letter WHERE id IN (2, 3)"), 2);
    EXPECT_EQ(rows("operator_action WHERE dead_letter IN (2, 3)"), 2) << "3 is about an open entry";
    run(*connection, "UPDATE dead_letter SET closed_at = '2020-01-01', closed_as = 'closed' WHERE id = 3");
    const auto later = round_at(start + keep_closed + 26h);
    EXPECT_EQ(later.dead_letters_deleted, 2);
    EXPECT_EQ(later.actions_deleted, 2);
}

TEST_F(MaintenanceTest, ForgetsErasuresWithWhatOperatorsDid) {
    for (const WallTime begun : {start, start + 2h})
        ASSERT_TRUE(begin_erasure(*connection, {.object_key = "stripe/acct/pi_1",
                                                .operator_name = "ada",
                                                .reason = "request 17",
                                                .host = "bastion",
                                                .begun_at = begun}));
    EXPECT_EQ(round_at(start + keep_closed + 1h).erasures_deleted, 1);
    EXPECT_EQ(rows("erasure"), 1);
}

TEST_F(MaintenanceTest, LeavesTheWorkToWhoeverHasTheLock) {
    static_cast<void>(round_at(start));
    const auto other = open();
    const auto lock = NamedLock::acquire(*other, "maintenance", 0s);
    ASSERT_TRUE(lock && *lock);
    const auto report = round_at(start + 48h);
    EXPECT_FALSE(report.had_lock);
    EXPECT_EQ(report.partitions_added, 0);
    EXPECT_EQ(report.days_ahead, 5);
}

TEST_F(MaintenanceTest, GivesTheLockBack) {
    static_cast<void>(round_at(start));
    const auto other = open();
    const auto lock = NamedLock::acquire(*other, "maintenance", 0s);
    ASSERT_TRUE(lock);
    EXPECT_TRUE(lock->has_value());
}

TEST_F(MaintenanceTest, DoesNothingByAClockThatIsWrong) {
    static_cast<void>(round_at(start));
    put(1, test_day);
    set_clock(start + 24h);
    const auto report = maintain(*connection, retention, {}, start + 24h + days{3650});
    ASSERT_TRUE(report);
    EXPECT_TRUE(report->clocks_differ);
    EXPECT_EQ(report->partitions_added, 0);
    EXPECT_FALSE(report->announced);
    EXPECT_EQ(*dropped_before(*connection), std::nullopt);
}

TEST_F(MaintenanceTest, DoesNotWaitForATransactionThatIsOpen) {
    static_cast<void>(round_at(start));
    const auto other = open();
    ASSERT_TRUE(other->begin());
    EXPECT_EQ(number(*other, "SELECT COUNT(*) FROM inbox"), 0);
    set_clock(start + 24h);
    const auto report = maintain(*connection, retention, {}, start + 24h);
    ASSERT_FALSE(report);
    EXPECT_EQ(code_of(report), 1205);
    ASSERT_TRUE(other->rollback());
    EXPECT_EQ(round_at(start + 24h).partitions_added, 2);
}

}  // namespace
}  // namespace sluice::store
