#include "consumer/store/driver/row_statements.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "common/crypto/encoding.hpp"

namespace sluice::store {
namespace {

using namespace std::chrono_literals;

std::string literal(const Datum& value) {
    std::string sql;
    append_row(sql, {&value, 1});
    return sql.substr(1, sql.size() - 2);
}

TEST(Literal, OfNumbersAndNothing) {
    EXPECT_EQ(literal(nullptr), "NULL");
    EXPECT_EQ(literal(std::int64_t{-5'000'000'000}), "-5000000000");
    EXPECT_EQ(literal(0.5), "0.5");
}

TEST(Literal, OfDaysAndTimes) {
    const std::chrono::sys_days day{2026y / 11 / 21};
    EXPECT_EQ(literal(day), "'2026-11-21'");
    EXPECT_EQ(literal(WallTime{day + 19h + 3min + 22s}), "'2026-11-21 19:03:22'");
    EXPECT_EQ(literal(WallTime{day + 19h + 3min + 22s + 7us}), "'2026-11-21 19:03:22.000007'");
}

TEST(Literal, OfPlainTextIsThatText) {
    EXPECT_EQ(literal(std::string_view{"done"}), "'done'");
    EXPECT_EQ(literal(Bytes{R"(["credit", "mirror"])"}), R"('["credit", "mirror"]')");
    EXPECT_EQ(literal(Bytes{""}), "''");
}

TEST(Literal, EndsWhereItsTextEndsForAnyByteAtAnyPlace) {
    for (const std::size_t size : {1U, 7U, 8U, 9U, 16U, 17U}) {
        for (std::size_t at = 0; at < size; ++at) {
            for (int byte = 0; byte < 256; ++byte) {
                std::string text(size, 'a');
                text[at] = static_cast<char>(byte);
                const bool is_plain = byte >= 0x20 && byte < 0x7f && byte != '\'' && byte != '\\';
                const std::string expected =
                    is_plain ? '\'' + text + '\'' : "x'" + crypto::to_hex(text) + '\'';
                ASSERT_EQ(literal(Bytes{text}), expected) << byte << " at " << at << " of " << size;
                ASSERT_EQ(literal(std::string_view{text}), expected);
            }
        }
    }
}

TEST(Literal, OfARowBehindAnother) {
    std::string sql = "VALUES ";
    const std::vector<Datum> row{std::int64_t{1}, Bytes{"it's"}, nullptr};
    append_row(sql, row);
    EXPECT_EQ(sql, "VALUES (1,x'69742773',NULL)");
}

}  // namespace
}  // namespace sluice::store
