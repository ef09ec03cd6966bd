#include "consumer/telemetry/event_spans.hpp"

#include <array>

#include <gtest/gtest.h>

#include "tests/unit/common/trace/told.hpp"

namespace sluice::consumer {
namespace {

using trace::Told;

constexpr std::string_view some_trace = "4bf92f3577b34da6a3ce929d0e0e4736";

Item item_in(const std::string& flags) {
    Item item;
    item.decoded = true;
    item.event.traceparent = "00-" + std::string{some_trace} + "-00f067aa0ba902b7-" + flags;
    return item;
}

class EventSpansTest : public testing::Test {
protected:
    std::size_t told_of(Disposition disposition, const Item& item) {
        Told told{0};
        EventSpans{told.tracer, kafka_, clock_}.tried(disposition, item, {});
        return told.spans().size();
    }

    static config::KafkaSettings kafka() {
        config::KafkaSettings settings;
        settings.topic = "payments";
        settings.dlq_topic = "payments.g.dlq";
        return settings;
    }

    const config::KafkaSettings kafka_ = kafka();
    const SystemClock clock_;
};

// The list that docs/tracing.md promises.
TEST_F(EventSpansTest, OfATraceThatIsNotKeptFailuresAreTold) {
    for (const Disposition disposition : {Disposition::retried, Disposition::superseded, Disposition::dead})
        EXPECT_EQ(told_of(disposition, item_in("00")), 1U) << name_of(disposition);
    for (const Disposition disposition :
         {Disposition::done, Disposition::ignored, Disposition::duplicate, Disposition::duplicate_of_peer,
          Disposition::deferred, Disposition::parked, Disposition::lacking, Disposition::contended})
        EXPECT_EQ(told_of(disposition, item_in("00")), 0U) << name_of(disposition);
}

TEST_F(EventSpansTest, OfATraceThatIsKeptAllIsTold) {
    for (const Disposition disposition : {Disposition::done, Disposition::duplicate, Disposition::deferred,
                                          Disposition::parked, Disposition::contended, Disposition::dead})
        EXPECT_EQ(told_of(disposition, item_in("01")), 1U) << name_of(disposition);
}

TEST_F(EventSpansTest, WhatFailedOnceIsToldToItsEnd) {
    Item failed_before = item_in("00");
    failed_before.failures.attempts = 1;
    EXPECT_EQ(told_of(Disposition::done, failed_before), 1U);
    Item asked_for = item_in("00");
    asked_for.attempt.is_told = true;
    EXPECT_EQ(told_of(Disposition::done, asked_for), 1U);
}

TEST_F(EventSpansTest, ARecordThatNamesNoTraceIsInNone) {
    EXPECT_EQ(told_of(Disposition::dead, Item{}), 0U);
    Item unreadable;
    unreadable.record.headers = {{"traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00"}};
    EXPECT_EQ(told_of(Disposition::dead, unreadable), 1U);
    unreadable.record.headers = {{"traceparent", "none"}};
    EXPECT_EQ(told_of(Disposition::dead, unreadable), 0U);
}

TEST_F(EventSpansTest, ASharedTransactionIsToldOnceAndLinkedWithThoseThatAreKept) {
    Told told{0};
    EventSpans spans{told.tracer, kafka_, clock_};
    Item one = item_in("01");
    Item two = item_in("00");
    Item three = item_in("01");
    const std::array<Item*, 3> together{&one, &two, &three};
    spans.committed(together, clock_.steady());
    for (const Item* item : together) spans.tried(Disposition::done, *item, {});
    const auto found = told.spans();
    ASSERT_EQ(found.size(), 3U);
    EXPECT_EQ(found[0]["name"], "transaction");
    EXPECT_EQ(found[0]["links"].size(), 2U);
    EXPECT_EQ(Told::value_of(found[0], "messaging.batch.message_count"), "3");
    EXPECT_NE(found[0]["traceId"], some_trace);
    for (const auto& process : {found[1], found[2]}) {
        EXPECT_EQ(process["parentSpanId"], "00f067aa0ba902b7");
        EXPECT_EQ(process["links"][0]["spanId"], found[0]["spanId"]);
    }
}

TEST_F(EventSpansTest, ATransactionOfItsOwnLiesInTheTry) {
    Told told{0};
    EventSpans spans{told.tracer, kafka_, clock_};
    Item item = item_in("01");
    item.attempt.began = clock_.steady();
    spans.committed(item, clock_.steady());
    spans.tried(Disposition::done, item, {});
    const auto found = told.spans();
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[1]["name"], "transaction");
    EXPECT_EQ(found[1]["parentSpanId"], found[0]["spanId"]);
    EXPECT_FALSE(found[0].contains("links"));
}

TEST_F(EventSpansTest, ADeadLetterIsToldWhetherItsTraceIsKeptOrNot) {
    Told told{0};
    EventSpans{told.tracer, kafka_, clock_}.dead_letter(item_in("00"), {7, "data", false}, clock_.steady());
    const auto found = told.spans();
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0]["name"], "send payments.g.dlq");
    EXPECT_EQ(found[0]["flags"], 0);
    EXPECT_EQ(Told::value_of(found[0], "error.type"), "not_acked");
    EXPECT_EQ(Told::value_of(found[0], "sluice.dead_letter"), "7");
}

}  // namespace
}  // namespace sluice::consumer
