#include "consumer/effects/sql/rows.hpp"

#include <gtest/gtest.h>

#include "tests/unit/consumer/effects/configuration.hpp"

namespace sluice::effects {
namespace {

struct Rows {
    RowOutcomes rows;
    [[nodiscard]] std::optional<Outcome> of(std::int64_t count) const {
        const Ending* ending = rows.of(count);
        return ending == nullptr ? std::nullopt : std::optional{ending->outcome};
    }
};

auto read(const std::string& rows) {
    const auto text = "effects: {rows: " + rows + "}";
    return read_with(text, [](const config::Document& document, config::Problems&) {
        config::Section effect{*document.value("effects")};
        NameScope names{effect, false};
        return Rows{RowOutcomes::read(*effect.value("rows"), names)};
    });
}

TEST(RowOutcomes, AreDoneForOneRowUnlessTold) {
    const Rows rows;
    EXPECT_EQ(rows.of(1), Outcome::done);
    EXPECT_EQ(rows.of(0), std::nullopt);
    EXPECT_EQ(rows.of(2), std::nullopt);
}

TEST(RowOutcomes, AreWhatTheConfigurationSays) {
    const auto [rows, report] = read("{1: done, 0: defer, 2: ignore, 3: retry, 4: park}");
    EXPECT_EQ(report, "");
    EXPECT_EQ(rows.of(0), Outcome::defer);
    EXPECT_EQ(rows.of(1), Outcome::done);
    EXPECT_EQ(rows.of(2), Outcome::ignore);
    EXPECT_EQ(rows.of(3), Outcome::retry);
    EXPECT_EQ(rows.of(4), Outcome::park);
    EXPECT_EQ(rows.of(5), std::nullopt);
}

TEST(RowOutcomes, HaveNoDefaultBesideWhatIsListed) {
    EXPECT_EQ(read("{0: ignore}").value.of(1), std::nullopt);
}

TEST(RowOutcomes, TakeOtherForTheRest) {
    const auto [rows, report] = read("{1: done, other: ignore}");
    EXPECT_EQ(report, "");
    EXPECT_EQ(rows.of(1), Outcome::done);
    EXPECT_EQ(rows.of(0), Outcome::ignore);
    EXPECT_EQ(rows.of(1'000'000), Outcome::ignore);
}

TEST(RowOutcomes, RefuseWhatIsNoOutcome) {
    EXPECT_TRUE(read("{1: finished}").report.contains("'finished' is not an outcome"));
    EXPECT_TRUE(read("{1: [done]}").report.contains("is not an outcome"));
}

TEST(RowOutcomes, RefuseWhatIsNoCount) {
    for (const auto* rows :
         {"{-1: done}", "{1.5: done}", "{many: done}", "{1x: done}", "{99999999999999999999: done}"}) {
        EXPECT_TRUE(read(rows).report.contains("is not a row count")) << rows;
    }
}

TEST(RowOutcomes, RefuseACountThatIsGivenTwice) {
    EXPECT_TRUE(read("{1: done, 01: defer}").report.contains("rows has 01 twice"));
    EXPECT_TRUE(read("{other: done, other: defer}").report.contains("twice"));
}

TEST(RowOutcomes, RefuseWhatIsNoMapping) {
    for (const auto* rows : {"done", "[done]", "{}"})
        EXPECT_TRUE(read(rows).report.contains("rows must be a mapping")) << rows;
}

}  // namespace
}  // namespace sluice::effects
