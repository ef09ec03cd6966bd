#include "consumer/store/dead_letter/dead_letter.hpp"

#include "common/error.hpp"
#include "consumer/store/dead_letter/dead_letter_list.hpp"
#include "consumer/store/lane/lane.hpp"
#include "tests/unit/consumer/store/server/events.hpp"
#include "tests/unit/consumer/store/server/fixture.hpp"

namespace sluice::store {
namespace {

using DeadLetterTest = ServerTest;

DeadLetter death_of(int event, lane::Position position) {
    DeadLetter dead_letter;
    dead_letter.place = {lane_key_of("object"), position};
    dead_letter.object_key = "object";
    dead_letter.source = "stripe-eu";
    dead_letter.inbox = key_of(event);
    dead_letter.error_class = "park";
    dead_letter.topic = "t";
    return dead_letter;
}

void insert_dead(Connection& connection, int event) {
    auto entry = entry_of(event);
    entry.status = InboxStatus::dead;
    entry.dlq = DlqRecord::owed;
    ASSERT_TRUE(insert(connection, {&entry, 1}));
}

DlqRecord dlq_of(Connection& connection, int event) {
    return find(connection, key_of(event)).value()->dlq;
}

TEST_F(DeadLetterTest, MarksOneDeathAndNotTheNextOfTheSameEvent) {
    const auto connection = open_migrated();
    insert_dead(*connection, 1);
    const LanePlace place{lane_key_of("object"), 1};
    const auto first = open_dead_letter(*connection, death_of(1, 1), test_time).value();
    EXPECT_EQ(close_dead_letters(*connection, place, ClosedAs::retried, test_time), 1);
    const auto second = open_dead_letter(*connection, death_of(1, 1), test_time).value();
    ASSERT_TRUE(first && second);
    EXPECT_EQ(mark_dead_letter_sent(*connection, *first), true);
    EXPECT_EQ(dlq_of(*connection, 1), DlqRecord::owed) << "the second death's record was never sent";
    EXPECT_EQ(mark_dead_letter_sent(*connection, *second), true);
    EXPECT_EQ(dlq_of(*connection, 1), DlqRecord::sent);
    EXPECT_EQ(mark_dead_letter_sent(*connection, *second), false);
}

TEST_F(DeadLetterTest, IsOwedByItsLaneInTheOrderOfPositionsUntilItIsMarkedOrClosed) {
    const auto connection = open_migrated();
    auto lane = make_lane(*connection, "object", test_time).value();
    const auto later = open_dead_letter(*connection, death_of(2, 7), test_time).value();
    const auto earlier = open_dead_letter(*connection, death_of(1, 3), test_time).value();
    const auto owed = [&] { return lock_lane(*connection, lane.key).value()->lane.dlq_owed; };
    EXPECT_EQ(owed(), (lane::OwedDeath{.position = 3, .death = *earlier}));
    ASSERT_TRUE(mark_dead_letter_sent(*connection, *earlier));
    EXPECT_EQ(owed(), (lane::OwedDeath{.position = 7, .death = *later}));
    EXPECT_EQ(close_dead_letter(*connection, *later, ClosedAs::closed, test_time), 1);
    EXPECT_EQ(owed(), std::nullopt);
    EXPECT_EQ(close_dead_letter(*connection, *later, ClosedAs::closed, test_time), 0);
}

TEST_F(DeadLetterTest, OpensOneEntryForARecordThatIsDeliveredAgain) {
    const auto connection = open_migrated();
    insert_dead(*connection, 1);
    auto conflict = death_of(1, 1);
    conflict.kind = DeadLetterKind::conflict;
    conflict.place.reset();
    conflict.record = {crypto::sha256("topic id, 3, 17"), std::string_view{"\0\1a", 3}, "{}"};
    ASSERT_TRUE(connection->begin());
    const auto id = open_dead_letter(*connection, conflict, test_time).value();
    ASSERT_TRUE(id);
    EXPECT_EQ(open_dead_letter(*connection, conflict, test_time).value(), std::nullopt);
    ASSERT_TRUE(connection->commit());
    EXPECT_EQ(number(*connection, "SELECT COUNT(*) FROM dead_letter"), 1);
    EXPECT_EQ(mark_dead_letter_sent(*connection, *id), true);
    EXPECT_EQ(dlq_of(*connection, 1), DlqRecord::owed) << "that row is the other event's";
}

TEST_F(DeadLetterTest, CutsWhatPeopleRead) {
    const auto connection = open_migrated();
    const std::string lengthy(3000, 'x');
    auto dead_letter = death_of(1, 1);
    dead_letter.object_key = dead_letter.source = dead_letter.type = dead_letter.event_id = lengthy;
    dead_letter.error_class = dead_letter.error_text = lengthy;
    EXPECT_TRUE(open_dead_letter(*connection, dead_letter, test_time)) << connection->last_error().message;
}

TEST_F(DeadLetterTest, CountsWhatIsOpenByClassAndSource) {
    const auto connection = open_migrated();
    const auto closed = open_dead_letter(*connection, death_of(1, 1), test_time).value();
    ASSERT_TRUE(close_dead_letter(*connection, *closed, ClosedAs::skipped, test_time));
    ASSERT_TRUE(open_dead_letter(*connection, death_of(2, 2), test_time + std::chrono::seconds{5}));
    ASSERT_TRUE(open_dead_letter(*connection, death_of(3, 3), test_time + std::chrono::seconds{9}));
    const auto counts = count_open_dead_letters(*connection).value();
    ASSERT_EQ(counts.size(), 1U);
    EXPECT_EQ(counts[0].error_class, "park");
    EXPECT_EQ(counts[0].source, "stripe-eu");
    EXPECT_EQ(counts[0].count, 2);
    EXPECT_EQ(counts[0].oldest, test_time + std::chrono::seconds{5});
}

TEST_F(DeadLetterTest, ChangesAnInboxRowOnlyWhileItIsNotFinished) {
    const auto connection = open_migrated();
    insert_dead(*connection, 1);
    InboxChange change{.status = InboxStatus::retry, .error_class = "lock"};
    ASSERT_TRUE(change_unfinished(*connection, key_of(1), change));
    EXPECT_EQ(dlq_of(*connection, 1), DlqRecord::sent) << "an operator's retry: owed no more";
    change.status = InboxStatus::dead;
    change.owes_dlq_record = true;
    ASSERT_TRUE(change_unfinished(*connection, key_of(1), change));
    EXPECT_EQ(dlq_of(*connection, 1), DlqRecord::owed);
    change = {.status = InboxStatus::skipped, .finished_at = test_time};
    ASSERT_TRUE(change_unfinished(*connection, key_of(1), change));
    EXPECT_EQ(find(*connection, key_of(1)).value()->finished_at, test_time);
    EXPECT_EQ(dlq_of(*connection, 1), DlqRecord::sent);
    const auto again = change_unfinished(*connection, key_of(1), change);
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error(), make_error_code(errc::unlisted_row_count));
    EXPECT_FALSE(change_unfinished(*connection, key_of(2), change));
}

TEST_F(DeadLetterTest, MakesNoDebtForAnEventThatNeverDied) {
    const auto connection = open_migrated();
    auto entry = entry_of(1);
    entry.status = InboxStatus::parked;
    ASSERT_TRUE(insert(*connection, {&entry, 1}));
    for (const auto status : {InboxStatus::retry, InboxStatus::done}) {
        ASSERT_TRUE(change_unfinished(*connection, key_of(1), {.status = status}));
        EXPECT_EQ(dlq_of(*connection, 1), DlqRecord::none);
    }
}

TEST_F(DeadLetterTest, ClosesTheDeathsOfOnePosition) {
    const auto connection = open_migrated();
    const auto lane = make_lane(*connection, "object", test_time).value();
    for (const int position : {1, 2, 3}) {
        ASSERT_TRUE(open_dead_letter(*connection, death_of(position, position), test_time));
    }
    EXPECT_EQ(close_dead_letters(*connection, {lane.key, 2}, ClosedAs::done, test_time), 1);
    EXPECT_EQ(close_dead_letters(*connection, {lane.key, 2}, ClosedAs::done, test_time), 0);
    EXPECT_EQ(number(*connection, "SELECT SUM(position) DIV 1 FROM dead_letter WHERE closed_at IS NULL"), 4);
    EXPECT_EQ(text(*connection, "SELECT closed_as FROM dead_letter WHERE position = 2"), "done");
}

TEST_F(DeadLetterTest, AnEntryIsAsOldAsTheFirstDeathOfItsRecordInThisPlace) {
    using std::chrono::hours;
    const auto connection = open_migrated();
    const auto die = [&](int event, lane::Position position, WallTime now) {
        return *open_dead_letter(*connection, death_of(event, position), now).value();
    };
    const auto first_died = [&](std::int64_t id) {
        return find_dead_letter(*connection, id).value().value().first_died_at;
    };
    const auto first = die(1, 1, test_time);
    EXPECT_EQ(first_died(first), test_time);
    ASSERT_TRUE(close_dead_letter(*connection, first, ClosedAs::retried, test_time + hours{1}));
    const auto second = die(1, 1, test_time + hours{2});
    EXPECT_EQ(first_died(second), test_time);
    run(*connection, "DELETE FROM dead_letter WHERE id = " + std::to_string(first));
    EXPECT_EQ(first_died(die(1, 1, test_time + hours{3})), test_time) << "also when the first entry is gone";
    EXPECT_EQ(first_died(die(1, 2, test_time + hours{4})), test_time + hours{4})
        << "a rerun has a place of its own: another story";
    EXPECT_EQ(count_open_dead_letters(*connection).value().at(0).oldest, test_time);
    EXPECT_EQ(count_dead_letters(*connection, {}).value().at(0).oldest, test_time);
    auto other = death_of(1, 1);
    other.offset += 1;
    const auto reused = *open_dead_letter(*connection, other, test_time + hours{5}).value();
    EXPECT_EQ(first_died(reused), test_time + hours{5}) << "a purged lane gives positions out again";
}

TEST_F(DeadLetterTest, ARerunBeginsAnewAlsoInThePlaceOfItsEventsDeath) {
    using std::chrono::hours;
    const auto connection = open_migrated();
    const auto die = [&](WallTime now) {
        const auto id = *open_dead_letter(*connection, death_of(1, 1), now).value();
        return find_dead_letter(*connection, id).value().value().first_died_at;
    };
    ASSERT_EQ(die(test_time), test_time);
    ASSERT_EQ(die(test_time + hours{1}), test_time);
    run(*connection,
        "INSERT INTO operator_action (id, action, answer, object_key, event_day, dedup_key, operator, reason,"
        " database_user, host, requested_at, carried_out_at) SELECT UNHEX(LEFT(SHA2('a', 256), 32)), 'rerun',"
        " 'carried_out', 'o', event_day, dedup_key, 'ada', 'why', 'u', 'h', opened_at, opened_at"
        " + INTERVAL 1 MINUTE FROM dead_letter ORDER BY id DESC LIMIT 1");
    const auto anew = test_time + hours{2};
    EXPECT_EQ(die(anew), anew);
    EXPECT_EQ(die(test_time + hours{3}), anew) << "from the first death since";
}

TEST_F(DeadLetterTest, AnEntryOfAnOlderReleaseIsAsOldAsItself) {
    const auto connection = open_migrated();
    const auto id = *open_dead_letter(*connection, death_of(1, 1), test_time).value();
    run(*connection, "UPDATE dead_letter SET first_died_at = NULL");
    EXPECT_EQ(find_dead_letter(*connection, id).value()->first_died_at, test_time);
    EXPECT_EQ(count_open_dead_letters(*connection).value().at(0).oldest, test_time);
}

}  // namespace
}  // namespace sluice::store
