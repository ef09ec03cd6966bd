#include "consumer/store/inbox/inbox.hpp"

#include <algorithm>

#include "consumer/store/driver/meta.hpp"
#include "consumer/store/inbox/effect_names.hpp"
#include "consumer/store/inbox/undated.hpp"
#include "tests/unit/consumer/store/server/events.hpp"
#include "tests/unit/consumer/store/server/fixture.hpp"

namespace sluice::store {
namespace {

using namespace std::chrono_literals;
using InboxTest = ServerTest;

std::vector<InboxKey> keys_of(const std::vector<InboxEntry>& entries) {
    std::vector<InboxKey> keys;
    for (const auto& entry : entries) keys.push_back(entry.key);
    return keys;
}

TEST_F(InboxTest, FindsARowAsItWasInserted) {
    const auto connection = open_migrated();
    auto entry = entry_of(1);
    entry.status = InboxStatus::dead;
    entry.dlq = DlqRecord::owed;
    entry.error_class = "exhausted";
    entry.error_text = "nobody knows";
    entry.reference = "O-17";
    entry.transaction = "T-1";
    ASSERT_TRUE(insert(*connection, {&entry, 1})) << connection->last_error().message;
    const auto found = find(*connection, entry.key);
    ASSERT_TRUE(found && *found);
    const auto& row = **found;
    EXPECT_EQ(row.key, entry.key);
    EXPECT_EQ(row.content_digest, entry.content_digest);
    EXPECT_EQ(row.source, "stripe-eu");
    EXPECT_EQ(row.event_id, "evt_1");
    EXPECT_EQ(row.type, "payment_intent.succeeded");
    EXPECT_EQ(row.object_key, "stripe/acct_main/pi_1");
    EXPECT_EQ(row.status, InboxStatus::dead);
    EXPECT_EQ(row.topic, "payments.webhooks.v1");
    EXPECT_EQ(row.partition, 3);
    EXPECT_EQ(row.offset, 5'000'000'000);
    EXPECT_EQ(row.received_at, entry.received_at);
    EXPECT_EQ(row.finished_at, entry.finished_at);
    EXPECT_EQ(row.dlq, DlqRecord::owed);
    EXPECT_EQ(row.error_class, "exhausted");
    EXPECT_EQ(row.error_text, "nobody knows");
    EXPECT_EQ(row.reference, "O-17");
    EXPECT_EQ(row.transaction, "T-1");
    EXPECT_EQ(*find(*connection, key_of(2)), std::nullopt);
}

/// What the session has asked the server for, by the name of a counter.
std::int64_t counted(Connection& connection, const std::string& name) {
    const auto rows = connection.query("SHOW SESSION STATUS LIKE '" + name + "'", {});
    return std::stoll(std::get<std::string>(rows.value().at(0).at(1)));
}

TEST_F(InboxTest, KnowsUndatedEventsWhoseRowsAreGone) {
    const auto connection = open_migrated();
    auto gone = entry_of(1);
    auto there = entry_of(2);
    auto fresh = entry_of(3);
    auto dated = entry_of(4);
    gone.key.event_day = there.key.event_day = fresh.key.event_day = record::undated;
    ASSERT_TRUE(insert(*connection, {&gone, 1}));
    run(*connection,
        "INSERT INTO undated_key SELECT dedup_key, content_digest, source, '2026-01-01' FROM inbox");
    run(*connection, "DELETE FROM inbox");
    ASSERT_TRUE(insert(*connection, {&there, 1}));
    const std::vector<InboxEntry> all{gone, there, fresh, dated};
    const auto found = known(*connection, keys_of(all)).value();
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[1].key, gone.key);
    EXPECT_EQ(found[1].content_digest, gone.content_digest);
    EXPECT_EQ(found[1].source, "stripe-eu");
    EXPECT_EQ(found[1].status, InboxStatus::done);
    EXPECT_EQ(found[1].dlq, DlqRecord::none);
    EXPECT_FALSE(find(*connection, fresh.key)->has_value());
}

TEST_F(InboxTest, AnUndatedEventHasComeWhetherItsRowIsThereOrGone) {
    const auto connection = open_migrated();
    auto gone = entry_of(1);
    auto there = entry_of(2);
    gone.key.event_day = there.key.event_day = record::undated;
    const std::vector<InboxEntry> both{gone, there};
    ASSERT_TRUE(insert(*connection, both));
    run(*connection,
        "INSERT INTO undated_key SELECT dedup_key, content_digest, source, '2026-01-01' FROM inbox"
        " WHERE event_id = '" +
            std::string{gone.event_id} + "'");
    run(*connection, "DELETE FROM inbox WHERE event_id = '" + std::string{gone.event_id} + "'");
    auto fresh = key_of(3);
    fresh.event_day = record::undated;
    EXPECT_EQ(came_before(*connection, gone.key), true);
    EXPECT_EQ(came_before(*connection, there.key), true) << "a sweep may take it before the INSERT comes";
    EXPECT_EQ(came_before(*connection, fresh), false);
}

TEST_F(InboxTest, AsksForWhatIsGoneOnlyWhereAnUndatedEventIsNew) {
    const auto connection = open_migrated();
    auto there = entry_of(1);
    there.key.event_day = record::undated;
    ASSERT_TRUE(insert(*connection, {&there, 1}));
    const auto statements_for = [&](const InboxKey& key) {
        const auto before = counted(*connection, "Com_stmt_execute");
        EXPECT_TRUE(known(*connection, {&key, 1}));
        return counted(*connection, "Com_stmt_execute") - before;
    };
    auto undated = key_of(2);
    undated.event_day = record::undated;
    const auto of_dated = statements_for(key_of(3));
    EXPECT_EQ(statements_for(there.key), of_dated);
    EXPECT_EQ(statements_for(undated), of_dated + 1);
    const auto before = counted(*connection, "Handler_read_key");
    EXPECT_TRUE(remembered(*connection, undated));
    EXPECT_EQ(counted(*connection, "Handler_read_key") - before, 1);
    const auto none = counted(*connection, "Com_stmt_execute");
    EXPECT_TRUE(remembered(*connection, key_of(3)));
    EXPECT_LE(counted(*connection, "Com_stmt_execute") - none, 1) << "the question for the counter itself";
}

TEST_F(InboxTest, CutsWhatPeopleReadAndNotWhatCounts) {
    const auto connection = open_migrated();
    const std::string lengthy(3000, 'x');
    auto entry = entry_of(1);
    entry.object_key = entry.error_class = entry.error_text = lengthy;
    ASSERT_TRUE(insert(*connection, {&entry, 1})) << connection->last_error().message;
    const auto row = find(*connection, entry.key);
    EXPECT_EQ((*row)->error_text.size(), 1024U);
    entry = entry_of(2);
    entry.event_id = lengthy;
    EXPECT_EQ(code_of(insert(*connection, {&entry, 1})), 1406);
}

TEST_F(InboxTest, TakesBatchesOfEverySize) {
    const auto connection = open_migrated();
    int from = 0;
    for (const int size : {1, 2, 7, 255, 256, 300}) {
        std::vector<InboxEntry> batch;
        for (int i = 0; i < size; ++i) batch.push_back(entry_of(from + i));
        from += size;
        ASSERT_TRUE(connection->begin());
        ASSERT_TRUE(insert(*connection, batch)) << connection->last_error().message;
        ASSERT_TRUE(connection->commit());
        EXPECT_EQ(number(*connection, "SELECT COUNT(*) FROM inbox"), from);
        EXPECT_EQ(known(*connection, keys_of(batch))->size(), batch.size());
    }
}

TEST_F(InboxTest, TakesABatchInOneStatementUnlessItIsLarge) {
    const auto connection = open_migrated();
    std::vector<InboxEntry> batch;
    const auto statements = [&] {
        const auto before = counted(*connection, "Com_insert");
        EXPECT_TRUE(insert(*connection, batch)) << connection->last_error().message;
        return counted(*connection, "Com_insert") - before;
    };
    for (int i = 0; i < 299; ++i) batch.push_back(entry_of(i));
    EXPECT_EQ(statements(), 1);
    batch.clear();
    const std::string names(longest_effects, '\'');
    for (int i = 300; i < 400; ++i) batch.emplace_back(entry_of(i)).had_effects = names;
    EXPECT_EQ(statements(), 4) << "of two megabytes";
    EXPECT_EQ(number(*connection, "SELECT COUNT(*) FROM inbox WHERE LENGTH(had_effects) = 32768"), 100);
}

TEST_F(InboxTest, KeepsWhichEffectsAnEventHad) {
    const auto connection = open_migrated();
    const std::string two = effects_text(std::vector<std::string>{"credit-wallet", "say \"thanks\""});
    std::vector<InboxEntry> batch{entry_of(1), entry_of(2), entry_of(3)};
    batch[0].had_effects = two;
    batch[1].had_effects = "[]";
    ASSERT_TRUE(insert(*connection, batch)) << connection->last_error().message;
    const auto had = [&](int number) { return (*find(*connection, key_of(number)))->had_effects; };
    EXPECT_EQ(had(1), (std::vector<std::string>{"credit-wallet", "say \"thanks\""}));
    EXPECT_EQ(had(2), std::vector<std::string>{}) << "none matched it, which is not the same as not known";
    EXPECT_EQ(had(3), std::nullopt);
}

TEST_F(InboxTest, WritesWhatAnEventHadWithItsEnd) {
    const auto connection = open_migrated();
    auto entry = entry_of(1);
    entry.status = InboxStatus::parked;
    ASSERT_TRUE(insert(*connection, {&entry, 1}));
    const auto change = [&](const InboxChange& to) {
        EXPECT_TRUE(change_unfinished(*connection, entry.key, to)) << connection->last_error().message;
        return (*find(*connection, entry.key))->had_effects;
    };
    EXPECT_EQ(change({.status = InboxStatus::retry}), std::nullopt);
    EXPECT_EQ(change({.status = InboxStatus::done, .finished_at = test_time, .had_effects = R"(["pay"])"}),
              std::vector<std::string>{"pay"});
}

TEST_F(InboxTest, ReopensWhatIsFinishedAndNothingElse) {
    const auto connection = open_migrated();
    int number = 0;
    for (const auto status : {InboxStatus::done, InboxStatus::ignored, InboxStatus::skipped,
                              InboxStatus::dead, InboxStatus::retry, InboxStatus::rerun}) {
        auto entry = entry_of(++number);
        entry.status = status;
        entry.had_effects = R"(["pay"])";
        ASSERT_TRUE(insert(*connection, {&entry, 1}));
        ASSERT_TRUE(connection->begin());
        const auto before = find_locked(*connection, entry.key);
        ASSERT_TRUE(before && *before);
        EXPECT_EQ((*before)->status, status);
        const bool is_finished = status == InboxStatus::done || status == InboxStatus::ignored;
        EXPECT_EQ(reopen(*connection, entry.key).has_value(), is_finished) << name_of(status);
        ASSERT_TRUE(connection->commit());
        const auto row = **find(*connection, entry.key);
        if (is_finished) {
            EXPECT_EQ(row.status, InboxStatus::rerun);
        }
        EXPECT_EQ(row.had_effects, std::vector<std::string>{"pay"});
        EXPECT_EQ(row.finished_at, entry.finished_at);
    }
    EXPECT_EQ(*find_locked(*connection, key_of(++number)), std::nullopt);
}

TEST_F(InboxTest, TakesTheEndOfARerun) {
    const auto connection = open_migrated();
    auto entry = entry_of(1);
    entry.status = InboxStatus::rerun;
    entry.had_effects = R"(["pay"])";
    ASSERT_TRUE(insert(*connection, {&entry, 1}));
    const auto change = [&](const InboxChange& to) { return change_unfinished(*connection, entry.key, to); };
    ASSERT_TRUE(change({.status = InboxStatus::rerun, .owes_dlq_record = true, .error_class = "park"}));
    EXPECT_EQ((*find(*connection, entry.key))->dlq, DlqRecord::owed);
    ASSERT_TRUE(change({.status = InboxStatus::done, .finished_at = test_time}));
    EXPECT_EQ((*find(*connection, entry.key))->had_effects, std::vector<std::string>{"pay"}) << "given up";
    EXPECT_FALSE(change({.status = InboxStatus::done})) << "it is finished";
}

TEST_F(InboxTest, KeepsTheErrorOfOneAmongPlainRows) {
    const auto connection = open_migrated();
    std::vector<InboxEntry> batch{entry_of(1), entry_of(2), entry_of(3)};
    batch[1].error_class = "exhausted";
    ASSERT_TRUE(insert(*connection, batch)) << connection->last_error().message;
    EXPECT_EQ((*find(*connection, batch[1].key))->error_class, "exhausted");
    EXPECT_EQ((*find(*connection, batch[2].key))->error_class, "");
    EXPECT_EQ(number(*connection, "SELECT COUNT(*) FROM inbox WHERE error_class IS NULL"), 2);
}

TEST_F(InboxTest, RefusesAWholeBatchForOneDuplicate) {
    const auto connection = open_migrated();
    const auto there = entry_of(150);
    ASSERT_TRUE(insert(*connection, {&there, 1}));
    std::vector<InboxEntry> batch;
    for (int i = 0; i < 200; ++i) batch.push_back(entry_of(i));
    ASSERT_TRUE(connection->begin());
    const auto done = insert(*connection, batch);
    ASSERT_FALSE(done);
    EXPECT_EQ(class_of_failure(done), ErrorClass::duplicate);
    ASSERT_TRUE(connection->rollback());
    EXPECT_EQ(number(*connection, "SELECT COUNT(*) FROM inbox"), 1);
}

TEST_F(InboxTest, KnowsTheKeysOfABatchOverSeveralDays) {
    const auto connection = open_migrated();
    std::vector<InboxEntry> there;
    std::vector<InboxKey> asked;
    for (int i = 0; i < 900; ++i) {
        auto entry = entry_of(i);
        entry.key.event_day = i % 30 == 0 ? record::undated : test_day + std::chrono::days{i % 30};
        asked.push_back(entry.key);
        if (i % 7 == 0) there.push_back(entry);
    }
    asked.push_back(asked.front());
    ASSERT_TRUE(insert(*connection, there));
    const auto found = known(*connection, asked);
    ASSERT_TRUE(found) << connection->last_error().message;
    std::vector<InboxKey> keys;
    for (const auto& event : *found) keys.push_back(event.key);
    auto expected = keys_of(there);
    std::ranges::sort(keys);
    std::ranges::sort(expected);
    EXPECT_EQ(keys, expected);
}

TEST_F(InboxTest, KnowsADayAndAKeyOnlyTogether) {
    const auto connection = open_migrated();
    auto first = entry_of(1);
    auto second = entry_of(2);
    second.key.event_day = test_day + std::chrono::days{1};
    const std::vector there{first, second};
    ASSERT_TRUE(insert(*connection, there));
    const std::vector crossed{InboxKey{second.key.event_day, first.key.dedup_key},
                              InboxKey{first.key.event_day, second.key.dedup_key}};
    EXPECT_TRUE(known(*connection, crossed)->empty());
    EXPECT_TRUE(known(*connection, {})->empty());
}

TEST_F(InboxTest, SaysWhatABatchMustKnowOfAnEvent) {
    const auto connection = open_migrated();
    auto entry = entry_of(1);
    entry.status = InboxStatus::dead;
    entry.dlq = DlqRecord::owed;
    ASSERT_TRUE(insert(*connection, {&entry, 1}));
    const auto event = known(*connection, {&entry.key, 1})->at(0);
    EXPECT_EQ(event.content_digest, entry.content_digest);
    EXPECT_EQ(event.source, "stripe-eu");
    EXPECT_EQ(event.status, InboxStatus::dead);
    EXPECT_EQ(event.dlq, DlqRecord::owed);
}

TEST_F(InboxTest, ReadsABatchByThePrimaryKey) {
    const auto connection = open_migrated();
    std::vector<InboxEntry> there;
    for (int i = 0; i < 2000; ++i) there.push_back(entry_of(i));
    ASSERT_TRUE(insert(*connection, there));
    run(*connection, "ANALYZE TABLE inbox");
    const auto reads = [&] {
        std::int64_t sum = 0;
        const auto rows = connection->query(
            "SHOW SESSION STATUS WHERE Variable_name IN ('Handler_read_next', 'Handler_read_rnd_next')", {});
        for (const auto& row : *rows) sum += std::stoll(std::get<std::string>(row.at(1)));
        return sum;
    };
    const auto keys = keys_of(there);
    const auto before = reads();
    ASSERT_TRUE(known(*connection, std::span{keys}.first(100)));
    EXPECT_LT(reads() - before, 300) << "the table is scanned";
}

TEST_F(InboxTest, TellsIdsApartThatDifferInCaseOrTrailingSpaces) {
    const auto connection = open_migrated();
    for (int i = 0; const auto* id : {"evt_a", "evt_A", "evt_a "}) {
        auto entry = entry_of(++i);
        entry.event_id = id;
        ASSERT_TRUE(insert(*connection, {&entry, 1}));
        EXPECT_EQ((*find(*connection, entry.key))->event_id, id);
    }
    EXPECT_EQ(number(*connection, "SELECT COUNT(*) FROM inbox WHERE event_id = 'evt_a'"), 1);
}

TEST_F(InboxTest, MarksADlqRecordOnceAndOnlyWhereItIsOwed) {
    const auto connection = open_migrated();
    auto owing = entry_of(1);
    owing.status = InboxStatus::dead;
    owing.dlq = DlqRecord::owed;
    const std::vector both{owing, entry_of(2)};
    ASSERT_TRUE(insert(*connection, both));
    EXPECT_EQ(mark_dlq_sent(*connection, owing.key), true);
    EXPECT_EQ(mark_dlq_sent(*connection, owing.key), false);
    EXPECT_EQ(mark_dlq_sent(*connection, key_of(2)), false);
    EXPECT_EQ(mark_dlq_sent(*connection, key_of(3)), false);
    EXPECT_EQ((*find(*connection, owing.key))->dlq, DlqRecord::sent);
    EXPECT_EQ((*find(*connection, key_of(2)))->dlq, DlqRecord::none);
}

TEST_F(InboxTest, FindsAnEventOnAnyDay) {
    const auto connection = open_migrated();
    auto undated = entry_of(1);
    undated.key.event_day = record::undated;
    auto later = entry_of(1);
    later.key.event_day = test_day + std::chrono::days{300};
    const std::vector there{undated, entry_of(1), entry_of(2), entry_of(3), later};
    ASSERT_TRUE(insert(*connection, there));
    const std::vector asked{key_of(1).dedup_key, key_of(2).dedup_key, key_of(9).dedup_key};
    const auto found = find_on_any_day(*connection, asked);
    ASSERT_TRUE(found) << connection->last_error().message;
    EXPECT_EQ(found->size(), 4U);
    EXPECT_TRUE(find_on_any_day(*connection, {})->empty());
}

TEST_F(InboxTest, KnowsWhatWasDropped) {
    const auto connection = open_migrated();
    EXPECT_EQ(*dropped_before(*connection), std::nullopt);
    ASSERT_TRUE(write_meta(*connection, meta::dropped_before, "2026-08-24", WallTime{test_day}));
    EXPECT_EQ(**dropped_before(*connection), std::chrono::sys_days{2026y / 8 / 24});
}

}  // namespace
}  // namespace sluice::store
