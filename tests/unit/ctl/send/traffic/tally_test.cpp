#include "ctl/send/traffic/tally.hpp"

#include <gtest/gtest.h>

#include "common/webhook/http/decision.hpp"

namespace sluice::ctl {
namespace {

Sent sent(Kind kind, int status, bool is_last = true, std::string_view decision = {}) {
    return {.facts = {},
            .kind = kind,
            .attempt = 1,
            .status = status,
            .decision = decision,
            .error = status == 0 ? "refused" : "",
            .sent_at = WallTime{},
            .answered_at = WallTime{std::chrono::milliseconds{3}},
            .is_last = is_last};
}

bool is_well(std::initializer_list<Sent> all) {
    Tally tally;
    for (const auto& one : all) tally.count(one);
    return tally.is_as_it_should_be();
}

}  // namespace

TEST(Tally, CountsWhatBecameOfTheRequestsApart) {
    Tally tally;
    for (const auto* decision : {"accepted", "quarantined", "accepted"})
        tally.count(sent(Kind::fresh, 200, true, webhook::decision_from(decision)));
    tally.count(sent(Kind::duplicate, 200, true, "duplicate"));
    EXPECT_EQ(
        to_line(tally.to_json()["answers"]),
        R"([{"kind":"fresh","status":200,"decision":"accepted","count":2},{"kind":"fresh","status":200,"decision":"quarantined","count":1},{"kind":"duplicate","status":200,"decision":"duplicate","count":1}])");
    EXPECT_TRUE(
        tally.to_people().starts_with("SENT       ANSWER  DECISION     COUNT\n"
                                      "fresh         200  accepted         2\n"
                                      "fresh         200  quarantined      1\n"
                                      "duplicate     200  duplicate        1\n"))
        << tally.to_people();
}

TEST(Tally, AWordThatIsNoDecisionIsNotOne) {
    EXPECT_EQ(webhook::decision_from("accepted by somebody else"), "");
    EXPECT_EQ(webhook::decision_from(""), "");
}

TEST(Tally, CountsByKindAndStatus) {
    Tally first;
    first.count(sent(Kind::fresh, 200));
    first.count(sent(Kind::forged, 400));
    Tally second;
    second.count(sent(Kind::fresh, 200));
    second.count(sent(Kind::fresh, 0, false));
    first.add(second);
    const Json json = first.to_json();
    EXPECT_EQ(
        to_line(json["answers"]),
        R"([{"kind":"fresh","status":0,"decision":null,"count":1},{"kind":"fresh","status":200,"decision":null,"count":2},{"kind":"forged","status":400,"decision":null,"count":1}])");
    EXPECT_EQ(json["errors"]["refused"], 1);
    EXPECT_EQ(json["latency_ms"]["max"], 3.0);
    EXPECT_EQ(first.answers(), 3U);
}

TEST(Tally, GenuineOnesMustEndWithSuccess) {
    EXPECT_TRUE(is_well({sent(Kind::fresh, 200), sent(Kind::duplicate, 204)}));
    EXPECT_TRUE(is_well({sent(Kind::fresh, 503, false), sent(Kind::fresh, 200)}));
    EXPECT_FALSE(is_well({sent(Kind::fresh, 503)}));
    EXPECT_FALSE(is_well({sent(Kind::duplicate, 0)}));
}

TEST(Tally, OthersMustNeverBeAccepted) {
    EXPECT_TRUE(is_well({sent(Kind::forged, 400), sent(Kind::stale, 401)}));
    EXPECT_FALSE(is_well({sent(Kind::forged, 200)}));
    EXPECT_FALSE(is_well({sent(Kind::stale, 202)}));
    EXPECT_FALSE(is_well({sent(Kind::forged, 0)}));
}

TEST(Tally, ALineHasWhatACheckerNeeds) {
    Sent one = sent(Kind::fresh, 200);
    one.facts = {.id = "evt_1", .type = "t", .object = "pi_1", .customer = "cus_1", .amount = 5};
    EXPECT_EQ(
        to_line(to_json(one)),
        R"({"id":"evt_1","type":"t","object":"pi_1","customer":"cus_1","amount":5,"kind":"fresh","attempt":1,"status":200,)"
        R"("decision":null,"sent_at":"1970-01-01T00:00:00.000000Z","answered_at":"1970-01-01T00:00:00.003000Z"})");
}

}  // namespace sluice::ctl
