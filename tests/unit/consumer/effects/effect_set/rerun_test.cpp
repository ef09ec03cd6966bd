#include "consumer/effects/effect_set/rerun.hpp"

#include <gtest/gtest.h>

#include "tests/unit/consumer/effects/configuration.hpp"

namespace sluice::effects {
namespace {

using Names = std::vector<std::string>;
using store::InboxStatus;

/// For type a: old, fresh, late. For type b: other.
EffectSet effects_of_today() {
    std::string text = "effects:\n";
    for (const auto* name : {"old", "fresh", "late"})
        text += std::string{"  - {name: "} + name + ", when: {type: a}, sql: [{run: DELETE FROM t}]}\n";
    text += "  - {name: other, when: {type: b}, sql: [{run: DELETE FROM t}]}\n";
    auto read = read_with(text, [](const config::Document& document, config::Problems& problems) {
        return EffectSet::read(document, sources(), problems);
    });
    EXPECT_EQ(read.report, "");
    return std::move(read.value);
}

store::InboxRow row_of(InboxStatus status, std::optional<Names> had) {
    store::InboxRow row;
    row.status = status;
    row.had_effects = std::move(had);
    return row;
}

Rerun rerun(const store::InboxRow& row, const std::string& only = "", const std::string& type = "a") {
    static const EffectSet effects = effects_of_today();
    record::EventHeaders event;
    event.type = type;
    return rerun_of(row, effects.matching(event), effects, only);
}

TEST(Rerun, IsOfWhatMatchesTodayAndWasNotHad) {
    const auto found = rerun(row_of(InboxStatus::done, Names{"gone", "old"}));
    EXPECT_EQ(found.effects, (Names{"fresh", "late"}));
    EXPECT_EQ(found.had, (Names{"gone", "old"}));
    EXPECT_EQ(found.why, "");
}

TEST(Rerun, IsOfOneEffectWhereThatIsAskedFor) {
    EXPECT_EQ(rerun(row_of(InboxStatus::done, Names{"old"}), "late").effects, Names{"late"});
    EXPECT_EQ(rerun(row_of(InboxStatus::done, Names{"old"}), "old").why, "had_all");
    EXPECT_EQ(rerun(row_of(InboxStatus::ignored, Names{}), "other").why, "had_all") << "it does not match";
    EXPECT_EQ(rerun(row_of(InboxStatus::done, Names{"old"}), "olds").why, "no_such_effect");
}

TEST(Rerun, LeavesAnEventAloneThatHasAll) {
    EXPECT_EQ(rerun(row_of(InboxStatus::done, Names{"late", "old", "fresh"})).why, "had_all");
    EXPECT_EQ(rerun(row_of(InboxStatus::ignored, Names{}), "", "c").why, "had_all");
}

TEST(Rerun, TakesIgnoredForNoEffectAndNothingElseForKnown) {
    EXPECT_EQ(rerun(row_of(InboxStatus::ignored, std::nullopt)).effects, (Names{"old", "fresh", "late"}));
    EXPECT_EQ(rerun(row_of(InboxStatus::done, std::nullopt)).why, "had_unknown");
    EXPECT_EQ(rerun(row_of(InboxStatus::done, std::nullopt), "fresh").why, "had_unknown");
}

TEST(Rerun, IsOfFinishedEventsAlone) {
    for (const auto status :
         {InboxStatus::retry, InboxStatus::deferred, InboxStatus::parked, InboxStatus::dead})
        EXPECT_EQ(rerun(row_of(status, std::nullopt)).why, "unfinished") << store::name_of(status);
    EXPECT_EQ(rerun(row_of(InboxStatus::skipped, std::nullopt)).why, "skipped");
    EXPECT_EQ(rerun(row_of(InboxStatus::rerun, Names{})).why, "under_way");
    EXPECT_EQ(rerun(row_of(InboxStatus::newer, Names{})).why, "newer");
}

}  // namespace
}  // namespace sluice::effects
