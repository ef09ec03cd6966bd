#include "consumer/store/driver/sql_text.hpp"

#include <gtest/gtest.h>

#include "consumer/store/schema/migration.hpp"

namespace sluice::store {
namespace {

using Kind = SqlPiece::Kind;

/// The pieces as "c:code q:'quoted' m:comment x:executable".
std::string cut(std::string_view sql) {
    const auto pieces = cut_sql(sql);
    if (!pieces) return "error: " + pieces.error();
    std::string out;
    for (const auto& [kind, text] : *pieces) {
        const char dead_letter = kind == Kind::code      ? 'c'
                                 : kind == Kind::quoted  ? 'q'
                                 : kind == Kind::comment ? 'm'
                                                         : 'x';
        out += std::string{"["} + dead_letter + "]" + std::string{text};
    }
    return out;
}

std::vector<std::string> statements(std::string_view sql) {
    const auto found = statements_of(sql);
    if (!found) return {"error: " + found.error()};
    return {found->begin(), found->end()};
}

TEST(SqlText, CutsQuotesOfAllKinds) {
    EXPECT_EQ(cut("a 'b' \"c\" `d` e"), "[c]a [q]'b'[c] [q]\"c\"[c] [q]`d`[c] e");
}

TEST(SqlText, TakesADoubledQuoteAsPartOfTheText) {
    EXPECT_EQ(cut("'it''s' x"), "[q]'it''s'[c] x");
    EXPECT_EQ(cut("`a``b`"), "[q]`a``b`");
}

TEST(SqlText, TakesWhatFollowsABackslashAsPartOfTheText) {
    EXPECT_EQ(cut(R"('it\'s' x)"), R"([q]'it\'s'[c] x)");
    EXPECT_EQ(cut(R"('\\' x)"), R"([q]'\\'[c] x)");
}

TEST(SqlText, DoesNotEscapeInsideBackticks) {
    EXPECT_EQ(cut(R"(`a\` x)"), R"([q]`a\`[c] x)");
}

TEST(SqlText, CutsCommentsOfAllKinds) {
    EXPECT_EQ(cut("a # b\nc"), "[c]a [m]# b\n[c]c");
    EXPECT_EQ(cut("a -- b\nc"), "[c]a [m]-- b\n[c]c");
    EXPECT_EQ(cut("a /* b\n */ c"), "[c]a [m]/* b\n */[c] c");
    EXPECT_EQ(cut("a --"), "[c]a [m]--");
}

TEST(SqlText, TakesTwoMinusesWithoutASpaceAsCode) {
    EXPECT_EQ(cut("a --1"), "[c]a --1");
}

TEST(SqlText, KeepsQuotesInCommentsAndCommentsInQuotes) {
    EXPECT_EQ(cut("/* it's */ x"), "[m]/* it's */[c] x");
    EXPECT_EQ(cut("'-- no' # 'yes"), "[q]'-- no'[c] [m]# 'yes");
}

TEST(SqlText, TellsCommentsThatServersRun) {
    EXPECT_EQ(cut("/*!50000 x */"), "[x]/*!50000 x */");
    EXPECT_EQ(cut("/*M! x */"), "[x]/*M! x */");
}

TEST(SqlText, RefusesWhatIsNotClosed) {
    EXPECT_EQ(cut("a 'b"), "error: a quote ' is not closed");
    EXPECT_EQ(cut("a \"b\\\""), "error: a quote \" is not closed");
    EXPECT_EQ(cut("a /* b"), "error: a comment /* is not closed");
    EXPECT_EQ(cut("a /*/"), "error: a comment /* is not closed");
}

TEST(SqlText, SplitsAScriptAtSemicolonsOfCodeOnly) {
    EXPECT_EQ(statements("a; b';'c ; -- ;\n d /* ; */"),
              (std::vector<std::string>{"a", " b';'c ", " -- ;\n d /* ; */"}));
}

TEST(SqlText, LeavesOutWhatSaysNothing) {
    EXPECT_EQ(statements(" ;; a;\n-- the end\n"), (std::vector<std::string>{" a"}));
    EXPECT_TRUE(statements("").empty());
}

TEST(SqlText, KeepsAStatementThatIsAllQuotesOrRunsInAComment) {
    EXPECT_EQ(statements("'a'"), (std::vector<std::string>{"'a'"}));
    EXPECT_EQ(statements("/*!a*/"), (std::vector<std::string>{"/*!a*/"}));
}

TEST(SqlText, CutsEveryEmbeddedMigration) {
    for (const auto& migration : embedded_migrations()) {
        const auto found = statements_of(migration.sql);
        ASSERT_TRUE(found) << migration.name;
        EXPECT_FALSE(found->empty()) << migration.name;
    }
}

}  // namespace
}  // namespace sluice::store
