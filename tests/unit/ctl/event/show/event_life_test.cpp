#include "ctl/event/show/event_life.hpp"

#include <gtest/gtest.h>

namespace sluice::ctl {
namespace {

using std::chrono::microseconds;

WallTime second(double seconds) {
    return WallTime{microseconds{static_cast<std::int64_t>(seconds * 1e6)}};
}

EventLife life() {
    EventLife life;
    life.row.event_id = "evt_1";
    life.row.received_at = second(1000.25);
    life.row.finished_at = second(1000.75);
    life.record = FetchedRecord{
        .timestamp = second(1000.5), .headers = {{"ce_time", "1970-01-01T00:16:40Z"}}, .body = "0123456789"};
    return life;
}

}  // namespace

TEST(EventLife, EachStepSaysHowLongAfterTheOneBefore) {
    const auto steps = steps_of(life());
    ASSERT_EQ(steps.size(), 4U);
    EXPECT_FALSE(steps[0].after);
    EXPECT_EQ(steps[1].after, microseconds{250'000});
    EXPECT_EQ(steps[2].after, microseconds{250'000});
    EXPECT_EQ(steps[3].after, microseconds{250'000});
}

TEST(EventLife, AStepThatIsNotKnownIsPassedOver) {
    EventLife without = life();
    without.record.reset();
    const auto steps = steps_of(without);
    EXPECT_FALSE(steps[0].at);
    EXPECT_FALSE(steps[1].after);
    EXPECT_FALSE(steps[2].at);
    EXPECT_EQ(steps[3].after, microseconds{500'000});
}

TEST(EventLife, AMillisecondIsNotMistakenForAnEarlierTime) {
    EventLife same = life();
    same.row.received_at = second(1000.2504);
    same.record->timestamp = second(1000.250);
    EXPECT_EQ(steps_of(same)[2].after, microseconds{0});
    same.record->timestamp = second(1000.240);
    EXPECT_LT(steps_of(same)[2].after, microseconds{0});  // clocks that differ are not hidden
}

TEST(EventLife, WhatItHadIsSaidOnceItIsKnown) {
    EventLife had = life();
    EXPECT_FALSE(to_people(had, second(2000)).contains("\nhad "));
    had.row.had_effects = {"credit-wallet", "thank"};
    EXPECT_TRUE(to_people(had, second(2000)).contains("had       credit-wallet, thank\n"));
    had.row.had_effects->clear();
    EXPECT_TRUE(to_people(had, second(2000)).contains("had       no effect\n"));
    EXPECT_EQ(to_json(had).at("had_effects"), Json::array());
}

TEST(EventLife, WhatAReconciliationInjectedSaysWhichOne) {
    EventLife injected = life();
    EXPECT_EQ(to_json(injected).at("reconciled_by"), nullptr);
    EXPECT_FALSE(to_people(injected, second(2000)).contains("injected"));
    injected.record->headers.emplace_back("sluice-reconciled", "0a1b");
    EXPECT_EQ(to_json(injected).at("reconciled_by"), "0a1b");
    EXPECT_TRUE(to_people(injected, second(2000)).contains("injected  by reconciliation 0a1b\n"));
}

TEST(EventLife, TheArchiveSaysItWhereKafkaHasForgottenTheRecord) {
    EventLife injected = life();
    injected.record.reset();
    injected.archived_headers = {{"ce_id", "evt_1"}, {"sluice-reconciled", "0a1b"}};
    EXPECT_EQ(reconciled_by(injected), "0a1b");
}

TEST(EventLife, AnUnfinishedEventHasNoLastTime) {
    EventLife waiting = life();
    waiting.row.status = store::InboxStatus::retry;
    waiting.row.finished_at.reset();
    EXPECT_FALSE(steps_of(waiting)[3].at);
    EXPECT_TRUE(to_people(waiting, second(2000)).contains("not finished"));
}

TEST(EventLife, SaysWhyThereIsNoRecordAndWhatTheDlqHas) {
    EventLife dead = life();
    dead.record.reset();
    dead.no_record_because = "Kafka has deleted the record";
    dead.row.status = store::InboxStatus::dead;
    dead.row.dlq = store::DlqRecord::owed;
    dead.row.error_class = "data";
    const Json json = to_json(dead);
    EXPECT_EQ(json["no_record_because"], dead.no_record_because);
    EXPECT_EQ(json["dlq"], "owed");
    EXPECT_EQ(json["error_class"], "data");
    EXPECT_TRUE(json["error_text"].is_null());
    EXPECT_EQ(json["status"], "dead");
    EXPECT_TRUE(to_people(dead, second(2000)).contains("not available: Kafka has deleted the record"));
}

TEST(EventLife, JsonHasEveryStepWithMicroseconds) {
    const Json steps = to_json(life())["steps"];
    EXPECT_EQ(to_line(steps[1]),
              R"({"step":"received","time":"1970-01-01T00:16:40.250000Z","after_us":250000})");
}

TEST(EventLife, ShowsTheBodyMaskedWhereItWasAskedForAndSaysWhatStaysSealed) {
    auto shown = life();
    shown.row.reference = "O-17";
    EXPECT_TRUE(to_people(shown, second(2000)).contains("\nreference O-17\n"));
    EXPECT_FALSE(to_people(shown, second(2000)).contains("body "));
    EXPECT_TRUE(to_json(shown)["payload"].is_null());
    shown.body = R"({"card":"4111111111111111"})";
    shown.sealed_because = "no key";
    const auto people = to_people(shown, second(2000));
    EXPECT_TRUE(people.contains("\nbody      masked, sealed: no key\n")) << people;
    EXPECT_TRUE(people.contains("411111******1111") && !people.contains("4111111111111111")) << people;
    EXPECT_FALSE(to_json(shown)["payload"].get<std::string>().contains("4111111111111111"));
    EXPECT_EQ(to_json(shown)["payload_sealed_because"], "no key");
    EXPECT_EQ(to_json(shown)["reference"], "O-17");
}

}  // namespace sluice::ctl
