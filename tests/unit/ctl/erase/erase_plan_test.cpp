#include "ctl/erase/erase_plan.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "common/config/section.hpp"

namespace sluice::ctl {
namespace {

effects::EffectSet one_effect(const std::string& statement) {
    config::Problems problems;
    const auto document = config::Document::from_text(
        "effects: [{name: pay, when: {type: paid}, sql: [{run: " + statement + "}]}]\n", "test.yaml",
        problems);
    auto effects = effects::EffectSet::read(document, {}, problems);
    EXPECT_FALSE(problems.any()) << problems.report();
    return effects;
}

std::string why_of(const std::vector<StaysLine>& lines, const std::string& where) {
    const auto line = std::ranges::find(lines, where, &StaysLine::where);
    return line == lines.end() ? "not there" : line->holds + "; " + line->why;
}

TEST(ErasePlan, NamesTablesOfEffectsThatEventsHad) {
    ErasePlan plan;
    plan.found.had = {{"pay", 3}, {"of-yesterday", 1}};
    plan.found.had_unknown = 2;
    const auto lines = what_stays(plan, one_effect("UPDATE wallet SET a = 1"));
    EXPECT_TRUE(why_of(lines, "wallet").contains("what effect pay wrote for 3 events"));
    EXPECT_TRUE(why_of(lines, "tables of effect of-yesterday").contains("for 1 events"));
    EXPECT_TRUE(why_of(lines, "tables of effects").contains("2 events wrote: it is not recorded"));
}

TEST(ErasePlan, SaysWhenKafkaLetsGoOrThatItDidNotSay) {
    ErasePlan plan;
    plan.topics = {{"webhooks", "events", 7LL * 86'400'000}, {"cmd", "orders", std::nullopt}};
    const auto lines = what_stays(plan, one_effect("DELETE FROM t"));
    EXPECT_TRUE(why_of(lines, "Kafka webhooks").ends_with("retention is 7d"));
    EXPECT_TRUE(why_of(lines, "Kafka cmd").ends_with("retention is unknown: Kafka did not say"));
}

TEST(ErasePlan, SpeaksOfUnreadableRequestsWhereThereAreAny) {
    ErasePlan plan;
    EXPECT_FALSE(
        to_people(plan, what_stays(plan, one_effect("DELETE FROM t"))).contains("could not be read"));
    plan.found.nobodys = 2;
    EXPECT_TRUE(to_people(plan, what_stays(plan, one_effect("DELETE FROM t"))).contains("erase --entry ID"));
}

TEST(ErasePlan, NamesWhatWaitsAndWhatEndsIt) {
    ErasePlan plan;
    plan.object_key = "stripe/acct/pi_1";
    plan.found.payloads = 4;
    plan.waiting = {{"entry 7", "dead, data", "sluicectl dlq retry 7, or dlq skip 7"}};
    const auto stays = what_stays(plan, one_effect("DELETE FROM t"));
    const auto text = to_people(plan, stays);
    EXPECT_TRUE(text.starts_with("object stripe/acct/pi_1\n")) << text;
    EXPECT_TRUE(text.contains("sluicectl dlq retry 7, or dlq skip 7")) << text;
    const auto json = to_json(plan, stays);
    EXPECT_EQ(
        json["goes"][0],
        (Json{{"table", "event_payload"}, {"what", "archived requests, headers and body"}, {"rows", 4}}));
    EXPECT_EQ(json["waiting"][0]["what"], "entry 7");
}

}  // namespace
}  // namespace sluice::ctl
