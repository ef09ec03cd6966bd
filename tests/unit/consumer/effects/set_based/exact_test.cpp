#include "consumer/effects/set_based/exact.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace sluice::effects {
namespace {

using store::ColumnFacts;
using store::OwnedDatum;

ColumnFacts whole(int bytes, bool is_unsigned = false) {
    ColumnFacts column;
    column.kind = ColumnFacts::Kind::integer;
    column.bytes = bytes;
    column.is_unsigned = is_unsigned;
    return column;
}

ColumnFacts decimal(int precision, int scale) {
    ColumnFacts column;
    column.kind = ColumnFacts::Kind::decimal;
    column.precision = precision;
    column.scale = scale;
    return column;
}

TEST(Range, IsThatOfTheColumn) {
    const auto tiny = Range::of(whole(1));
    ASSERT_TRUE(tiny);
    EXPECT_TRUE(tiny->holds(127) && tiny->holds(-128));
    EXPECT_FALSE(tiny->holds(128) || tiny->holds(-129));
    const auto small = Range::of(whole(2, true));
    EXPECT_TRUE(small->holds(65535) && small->holds(0));
    EXPECT_FALSE(small->holds(-1) || small->holds(65536));
    const auto big = Range::of(whole(8));
    EXPECT_TRUE(big->holds(std::numeric_limits<std::int64_t>::max()));
    EXPECT_FALSE(big->holds(Wide{std::numeric_limits<std::int64_t>::max()} + 1));
}

TEST(Range, CountsDecimalsInTheirSmallestStep) {
    const auto range = Range::of(decimal(5, 2));
    ASSERT_TRUE(range);
    EXPECT_EQ(range->unit, 100);
    EXPECT_TRUE(range->holds(99999));
    EXPECT_FALSE(range->holds(100000));
}

TEST(Range, IsKeptWithinChecks) {
    auto range = Range::of(decimal(5, 2)).value();
    range.keep_within({"balance", true, true, -2});
    range.keep_within({"balance", false, false, 3});
    EXPECT_TRUE(range.holds(-200) && range.holds(299));
    EXPECT_FALSE(range.holds(-201) || range.holds(300));
    range.keep_within({"balance", true, true, -9});
    EXPECT_FALSE(range.holds(-201)) << "the narrowest counts";
}

TEST(Range, IsNoneOfWhatCannotBeCountedExactly) {
    EXPECT_FALSE(Range::of(decimal(65, 30)));
    EXPECT_FALSE(Range::of(decimal(37, 0)));
    EXPECT_TRUE(Range::of(decimal(36, 18)));
    EXPECT_FALSE(Range::of(ColumnFacts{}));
}

TEST(Steps, AreReadWithoutLoss) {
    EXPECT_EQ(steps_of(OwnedDatum{std::int64_t{-7}}, 2), Wide{-700});
    EXPECT_EQ(steps_of(OwnedDatum{std::string{"-12.30"}}, 2), Wide{-1230});
    EXPECT_EQ(steps_of(OwnedDatum{std::string{"18446744073709551615"}}, 0),
              Wide{std::numeric_limits<std::uint64_t>::max()});
    EXPECT_EQ(steps_of(OwnedDatum{std::string{"0.5"}}, 3), Wide{500});
}

TEST(Steps, AreNotThoseOfNullOrText) {
    EXPECT_FALSE(steps_of(OwnedDatum{nullptr}, 0));
    for (const auto* text : {"", "-", "1e3", "1.234", "x", "1.2.3"}) {
        EXPECT_FALSE(steps_of(OwnedDatum{std::string{text}}, 2)) << text;
    }
    EXPECT_FALSE(steps_of(OwnedDatum{1.5}, 2));
}

}  // namespace
}  // namespace sluice::effects
