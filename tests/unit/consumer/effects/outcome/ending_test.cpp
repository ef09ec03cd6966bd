#include "consumer/effects/outcome/ending.hpp"

#include <gtest/gtest.h>

#include "common/clock.hpp"
#include "tests/unit/consumer/effects/configuration.hpp"

namespace sluice::effects {
namespace {

auto read(const std::string& ending) {
    const auto text = "effects: {let: {order: /o, why: /w}, else: " + ending + "}";
    return read_with(text, [](const config::Document& document, config::Problems&) {
        config::Section effect{*document.value("effects")};
        NameScope names{effect, false};
        return read_ending(*effect.value("else"), {Outcome::ignore, Outcome::park}, names);
    });
}

TEST(Ending, IsAnOutcomeOrACase) {
    EXPECT_EQ(ending_from("done")->outcome, Outcome::done);
    EXPECT_EQ(ending_from("park")->case_class, "");
    const auto ending = ending_from("park:paid_twice");
    ASSERT_TRUE(ending);
    EXPECT_EQ(ending->outcome, Outcome::park);
    EXPECT_EQ(ending->case_class, "paid_twice");
}

TEST(Ending, RefusesWhatIsNoOutcome) {
    for (const char* text : {"", "Done", "park ", "parked", "done:x", "ignore:x"})
        EXPECT_FALSE(ending_from(text)) << text;
}

TEST(Ending, RefusesAClassThatIsNoWordOrBelongsToDeadLetters) {
    for (const char* name : {"", " ", "Paid", "paid-twice", "2nd", "_a", "a b", "data", "park", "exhausted",
                             "abcdefghijklmnopqrstuvwxyz_0123456"})
        EXPECT_FALSE(ending_from("park:" + std::string{name})) << name;
    EXPECT_TRUE(is_case_class("abcdefghijklmnopqrstuvwxyz_01234"));
}

TEST(Ending, TellsThePersonWhatTheRuleSays) {
    const auto [ending, report] =
        read("{park: closed, reason: \"order :order: it is closed at 10:00, :why\"}");
    EXPECT_EQ(report, "");
    EXPECT_EQ(ending.case_class, "closed");
    const std::vector<store::Datum> values{std::string_view{"O-17"}, nullptr};
    EXPECT_EQ(ending.reason.text({values, {}}), "order O-17: it is closed at 10:00, NULL");
}

TEST(Ending, ShowsValuesAsPeopleReadThemAndCutsThem) {
    EXPECT_EQ(shown(std::int64_t{8888}), "8888");
    EXPECT_EQ(shown(WallTime{std::chrono::seconds{0}}), "1970-01-01T00:00:00.000000Z");
    EXPECT_EQ(shown(std::string_view{"a\nb\x1b[2J"}), "a\\nb\\u001b[2J");
    EXPECT_EQ(shown(store::Bytes{"\xff"}), "\xEF\xBF\xBD");
    EXPECT_EQ(shown(std::string_view{std::string(1000, 'x')}).size(), 128U);
}

TEST(Ending, SaysWhatIsWrongWithARule) {
    EXPECT_TRUE(
        read("defer").report.contains("'defer' cannot be said here: use ignore, park or {park: CLASS"));
    EXPECT_TRUE(read("finished").report.contains("'finished' is not an outcome"));
    EXPECT_TRUE(read("{reason: x}").report.contains("park must be given"));
    EXPECT_TRUE(read("{park: data}").report.contains("'data' is not a class of cases"));
    EXPECT_TRUE(read("{park: closed, reason: \":ordre is closed\"}").report.contains(":ordre is not known"));
    EXPECT_TRUE(read("{park: closed, reason: \"\"}").report.contains("the reason must be a sentence"));
    EXPECT_TRUE(read("{park: closed, after: pass}").report.contains("after is not a known key"));
}

}  // namespace
}  // namespace sluice::effects
