#include "consumer/store/schema/check_bounds.hpp"

#include <gtest/gtest.h>

#include <format>

namespace sluice::store {
namespace {

/// As MySQL shows it.
std::string table_with(std::string_view checks) {
    return std::format(
        "CREATE TABLE `wallet` (\n  `customer` varbinary(64) NOT NULL,\n  `balance` bigint NOT NULL,\n"
        "  PRIMARY KEY (`customer`){}\n) ENGINE=InnoDB",
        checks);
}

std::string constraint(std::string_view condition) {
    return std::format(",\n  CONSTRAINT `wallet_chk_1` CHECK ({})", condition);
}

void expect_bound(const std::string& definition, const CheckBound& wanted) {
    const auto bounds = check_bounds_in(definition);
    ASSERT_TRUE(bounds) << definition;
    ASSERT_EQ(bounds->size(), 1U) << definition;
    const auto& one = bounds->front();
    EXPECT_EQ(one.column, wanted.column) << definition;
    EXPECT_EQ(one.is_least, wanted.is_least) << definition;
    EXPECT_EQ(one.is_inside, wanted.is_inside) << definition;
    EXPECT_EQ(one.number, wanted.number) << definition;
}

TEST(CheckBounds, AreComparisonsWithAWholeNumber) {
    expect_bound(table_with(constraint("(`balance` >= 0)")), {"balance", true, true, 0});
    expect_bound(table_with(constraint("(`balance` > -(1000))")), {"balance", true, false, -1000});
    expect_bound(table_with(constraint("(`balance` <= 50)")), {"balance", false, true, 50});
    expect_bound(table_with(constraint("`balance` < -7")), {"balance", false, false, -7});
}

TEST(CheckBounds, MayStandBehindTheirColumn) {
    const std::string column =
        "CREATE TABLE `w` (\n  `balance` bigint(20) NOT NULL CHECK (`balance` >= 0),\n"
        "  PRIMARY KEY (`balance`)\n) ENGINE=InnoDB";
    expect_bound(column, {"balance", true, true, 0});
}

TEST(CheckBounds, AreAllOfThem) {
    const auto two =
        check_bounds_in(table_with(constraint("(`balance` >= 0)") + constraint("(`balance` < 9)")));
    ASSERT_TRUE(two);
    EXPECT_EQ(two->size(), 2U);
    EXPECT_FALSE(
        check_bounds_in(table_with(constraint("(`balance` >= 0)") + constraint("(`balance` <> 9)"))));
    const auto none = check_bounds_in(table_with(""));
    ASSERT_TRUE(none);
    EXPECT_TRUE(none->empty());
}

TEST(CheckBounds, AreNothingElse) {
    for (const auto* other :
         {"(`balance` <> 13)", "((`balance` >= 0) and (`balance` <= 9))", "(`balance` >= `least`)",
          "(`balance` >= 0.5)", "(`balance` >= 1e2)", "((`balance` % 2) = 0)", "(`balance` between 0 and 9)",
          "(abs(`balance`) < 9)", "(-(`balance`) < 9)", "(`balance` >= 99999999999999999999)",
          "(0 <= `balance`)", "(`balance` >= _utf8mb4'5')", "(not((`balance` >= 0)))",
          "(`balance` is not null)", "(`balance` >= (0 + 1))"})
        EXPECT_FALSE(check_bounds_in(table_with(constraint(other)))) << other;
}

TEST(CheckBounds, AreEnforced) {
    const auto off = constraint("(`balance` >= 0)") + " /*!80016 NOT ENFORCED */";
    EXPECT_FALSE(check_bounds_in(table_with(off)));
}

TEST(CheckBounds, DoNotStandInQuotes) {
    const auto none = check_bounds_in(table_with(",\n  KEY `CHECK` (`balance`) COMMENT 'CHECK (x <> 1)'"));
    ASSERT_TRUE(none);
    EXPECT_TRUE(none->empty());
}

}  // namespace
}  // namespace sluice::store
