#include "consumer/apply/event.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "common/record/header_names.hpp"

namespace sluice::consumer {
namespace {

using std::chrono::days;

constexpr std::chrono::sys_days day_of_event{std::chrono::year{2026} / 11 / 21};

record::EventHeaders paid_event() {
    record::EventHeaders event;
    event.source = "stripe-eu";
    event.provider = "stripe";
    event.principal = "acct_eu";
    event.event_id = "evt_1";
    event.type = "paid";
    event.event_day = day_of_event;
    event.traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    event.http = {{"stripe-signature", "t=1"}};
    return event;
}

Item headers_only(std::vector<record::HeaderView> headers) {
    Item item;
    item.record.headers = std::move(headers);
    return item;
}

class Decode : public testing::Test {
protected:
    [[nodiscard]] std::vector<record::HeaderView> headers() {
        const auto views = encoded_.encode(event_);
        return {views.begin(), views.end()};
    }

private:
    const record::EventHeaders event_ = paid_event();
    record::EncodedHeaders encoded_;
};

TEST_F(Decode, ReadsWhatTheRecordSaysOfItsEventWithoutTheRequest) {
    Item item = headers_only(headers());
    ASSERT_TRUE(decode(item));
    EXPECT_TRUE(item.decoded);
    EXPECT_EQ(item.event.event_id, "evt_1");
    EXPECT_EQ(item.event.event_day, day_of_event);
    EXPECT_TRUE(item.event.http.empty());
}

TEST_F(Decode, ReadsARecordOnce) {
    Item item = headers_only(headers());
    ASSERT_TRUE(decode(item));
    item.record.headers.clear();
    EXPECT_TRUE(decode(item));
    EXPECT_EQ(item.event.event_id, "evt_1");
}

TEST_F(Decode, RefusesARecordWithoutWhatItMustCarry) {
    Item item = headers_only(headers());
    std::erase_if(item.record.headers,
                  [](const auto& header) { return header.name == record::header::dedup_key; });
    EXPECT_FALSE(decode(item));
    EXPECT_FALSE(item.decoded);
    EXPECT_TRUE(item.event.event_id.empty());
}

TEST(LaneOf, EventsOfOneKeyShareALaneAndAnEventWithoutOneHasItsOwn) {
    Item keyed;
    keyed.record.key = "stripe/acct_eu/pi_1";
    EXPECT_EQ(lane_of(keyed), store::lane_key_of("stripe/acct_eu/pi_1"));
    Item one;
    Item next;
    next.record.at.offset = 1;
    EXPECT_NE(lane_of(one), lane_of(next));
}

TEST(IsTooOld, WhereItsDayMayHaveBeenDropped) {
    Item item;
    item.event.event_day = day_of_event;
    EXPECT_TRUE(is_too_old(item, day_of_event + days{1}));
    EXPECT_FALSE(is_too_old(item, day_of_event)) << "days before this one were dropped";
    EXPECT_FALSE(is_too_old(item, day_of_event - days{1}));
    EXPECT_FALSE(is_too_old(item, std::nullopt)) << "none was dropped";
    Item undated = item;
    undated.event.event_day = record::undated;
    EXPECT_FALSE(is_too_old(undated, day_of_event)) << "their rows are never dropped by day";
}

using Pairs = std::vector<std::pair<std::string, std::string>>;

Pairs kept_of(std::vector<record::HeaderView> headers) {
    return nlohmann::json::parse(headers_as_json(headers_only(std::move(headers)).record));
}

TEST(HeadersAsJson, KeepsNamesAndValuesInTheirOrder) {
    EXPECT_EQ(kept_of({}), Pairs{});
    EXPECT_EQ(kept_of({{"b", "1"}, {"a", "2"}, {"b", "3"}}), (Pairs{{"b", "1"}, {"a", "2"}, {"b", "3"}}));
    const std::string lengthy(1000, 'v');
    EXPECT_EQ(kept_of({{"a", lengthy}}), (Pairs{{"a", lengthy}}));
}

TEST(HeadersAsJson, EscapesWhatJsonTakesForItself) {
    EXPECT_EQ(kept_of({{"say \"hi\"", "a\\b\n"}}), (Pairs{{"say \"hi\"", "a\\b\n"}}));
}

TEST(HeadersAsJson, ReplacesBytesThatAreNotUtf8) {
    EXPECT_EQ(kept_of({{"a", "x\xFFy"}}), (Pairs{{"a", "x\xEF\xBF\xBDy"}}));
}

}  // namespace
}  // namespace sluice::consumer
