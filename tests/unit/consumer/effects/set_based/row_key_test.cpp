#include "consumer/effects/set_based/row_key.hpp"

#include <gtest/gtest.h>

#include "common/error.hpp"

namespace sluice::effects {
namespace {

using store::Datum;
using store::Row;

std::string spelled(const std::vector<Datum>& key) {
    std::string out;
    spell(key, out);
    return out;
}

TEST(RowKey, SpellsNumbersAndTheirDigitsAlike) {
    EXPECT_EQ(spelled({std::int64_t{7}}), spelled({std::string_view{"7"}}));
    EXPECT_NE(spelled({std::string_view{"07"}}), spelled({std::string_view{"7"}}));
    std::string row;
    spell(Row{std::int64_t{7}, std::string{"a"}, std::int64_t{100}}, 2, row);
    EXPECT_EQ(row, spelled({std::string_view{"7"}, std::string_view{"a"}}));
}

TEST(RowKey, KeepsColumnsApart) {
    EXPECT_NE(spelled({std::string_view{"ab"}, std::string_view{"c"}}),
              spelled({std::string_view{"a"}, std::string_view{"bc"}}));
    EXPECT_NE(spelled({std::string_view{"1:a"}, std::string_view{""}}),
              spelled({std::string_view{""}, std::string_view{"1:a"}}));
}

TEST(RowKey, WithANullIsNoRows) {
    EXPECT_TRUE(has_null(std::vector<Datum>{std::int64_t{1}, nullptr}));
    EXPECT_FALSE(has_null(std::vector<Datum>{std::int64_t{1}}));
}

TEST(MeantRow, TakesTheServersWordForText) {
    const std::vector<Datum> key{std::string_view{"ABC"}};
    EXPECT_EQ(meant_row(key, {Row{std::string{"abc"}}}).value(), std::optional<std::size_t>{0});
    EXPECT_EQ(meant_row(key, {}).value(), std::optional<std::size_t>{});
}

TEST(MeantRow, WantsANumberWhereTheColumnIsOne) {
    const std::vector<Row> rows{Row{std::int64_t{7}}};
    for (const std::string_view good : {"7", "07", "+7"}) {
        EXPECT_EQ(meant_row(std::vector<Datum>{good}, rows).value(), std::optional<std::size_t>{0}) << good;
    }
    for (const std::string_view bad : {"7 apples", "7.0", "7e0", "8", "", "-7", "+"}) {
        const auto meant = meant_row(std::vector<Datum>{bad}, rows);
        ASSERT_FALSE(meant) << bad;
        EXPECT_EQ(meant.error(), errc::wrong_type);
    }
}

/// What is beyond int64 comes as text.
TEST(MeantRow, TakesNoNeighbourOfALargeNumber) {
    const std::vector<Row> rows{Row{std::string{"18446744073709551614"}}};
    EXPECT_TRUE(meant_row(std::vector<Datum>{std::string_view{"18446744073709551614"}}, rows).value());
    EXPECT_FALSE(meant_row(std::vector<Datum>{std::string_view{"18446744073709551615"}}, rows));
}

/// Servers compare text and BIGINT as doubles where no index helps.
TEST(MeantRow, PicksTheNumberItselfAmongNeighbours) {
    const std::vector<Row> rows{Row{std::int64_t{9007199254740992}}, Row{std::int64_t{9007199254740993}}};
    EXPECT_EQ(meant_row(std::vector<Datum>{std::string_view{"9007199254740993"}}, rows).value(),
              std::optional<std::size_t>{1});
}

}  // namespace
}  // namespace sluice::effects
