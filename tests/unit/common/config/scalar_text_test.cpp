#include "common/config/scalar_text.hpp"

#include <gtest/gtest.h>

namespace sluice::config {
namespace {

using namespace std::chrono_literals;

TEST(ScalarText, IntegerIsDecimalDigits) {
    EXPECT_EQ(integer_from_text("0"), 0);
    EXPECT_EQ(integer_from_text("-12"), -12);
    EXPECT_EQ(integer_from_text("9223372036854775807"), INT64_MAX);
    for (const auto* const text : {"", "-", "+1", "1.0", "1e3", "0x10", "010", "-01", " 1", "1 ", "1_000",
                                   "ten", "9223372036854775808"}) {
        EXPECT_EQ(integer_from_text(text), std::nullopt) << text;
    }
}

TEST(ScalarText, SizeIsANumberWithAnOptionalUnit) {
    EXPECT_EQ(size_from_text("4096"), 4096);
    EXPECT_EQ(size_from_text("64KiB"), 65'536);
    EXPECT_EQ(size_from_text("1MiB"), 1'048'576);
    EXPECT_EQ(size_from_text("2GiB"), 2'147'483'648);
    for (const auto* const text :
         {"", "KiB", "-1", "-1KiB", "64KB", "64kib", "64 KiB", "1.5MiB", "64K", "9007199254740993KiB"}) {
        EXPECT_EQ(size_from_text(text), std::nullopt) << text;
    }
}

TEST(ScalarText, BoundsAreWrittenInTheLargestUnit) {
    EXPECT_EQ(duration_text(72h), "3d");
    EXPECT_EQ(duration_text(36h), "36h");
    EXPECT_EQ(duration_text(90s), "90s");
    EXPECT_EQ(duration_text(1'500ms), "1500ms");
    EXPECT_EQ(duration_text(0ms), "0ms");
    EXPECT_EQ(size_text(65'536), "64KiB");
    EXPECT_EQ(size_text(1'048'576), "1MiB");
    EXPECT_EQ(size_text(1'000), "1000");
}

TEST(ScalarText, LongTextsAreCutInMessages) {
    EXPECT_EQ(in_quotes("abc"), "\"abc\"");
    EXPECT_EQ(in_quotes(std::string(500, 'x')), "\"" + std::string(80, 'x') + "…\"");
}

}  // namespace
}  // namespace sluice::config
