#include "consumer/effects/value/placeholders.hpp"

#include <gtest/gtest.h>

namespace sluice::effects {
namespace {

using Names = std::vector<std::string>;

Placeholders replaced(std::string_view statement) {
    auto out = replace_placeholders(statement);
    if (!out) return {"refused: " + out.error(), {}};
    return *out;
}

TEST(Placeholders, BecomeQuestionMarksInOrder) {
    const auto out = replaced("UPDATE w SET b = b + :amount WHERE c = :customer AND b > -:amount");
    EXPECT_EQ(out.text, "UPDATE w SET b = b + ? WHERE c = ? AND b > -?");
    EXPECT_EQ(out.names, (Names{"amount", "customer", "amount"}));
}

TEST(Placeholders, StayTextInsideQuotes) {
    EXPECT_EQ(replaced(R"(a ':x' ":y" `:z` :w)").text, R"(a ':x' ":y" `:z` ?)");
    EXPECT_EQ(replaced(R"('it''s :x' '\':y' :z)").names, (Names{"z"}));
}

TEST(Placeholders, InsideQuotesAreNoted) {
    EXPECT_EQ(replaced(R"(':a' "is :b, :c" `:d` /* ':e' */ :f)").quoted, (Names{"a", "b", "c"}));
    EXPECT_EQ(replaced(R"('park:refund' 'a::b' ': ' ':' '12:30')").quoted, Names{});
}

TEST(Placeholders, StayTextInsideComments) {
    EXPECT_EQ(replaced("a /* :x */ # :y\n-- :z\n:w").names, (Names{"w"}));
}

TEST(Placeholders, AreNoDoubleColonsOrAssignments) {
    const auto out = replaced("a::b @c := :d ::e");
    EXPECT_EQ(out.text, "a::b @c := ? ::e");
    EXPECT_EQ(out.names, (Names{"d"}));
}

TEST(Placeholders, EndWhereANameEnds) {
    EXPECT_EQ(replaced("(:a,:b_2)").names, (Names{"a", "b_2"}));
    EXPECT_EQ(replaced(":a.b").names, (Names{"a"}));
    EXPECT_EQ(replaced("a':x':y").names, (Names{"y"}));
    EXPECT_EQ(replaced(":1 : x :").names, (Names{}));
    EXPECT_EQ(replaced(":1 : x :").text, ":1 : x :");
    EXPECT_EQ(replaced("end:a").names, (Names{"a"}));
}

TEST(Placeholders, RefuseAQuestionMarkOfTheStatement) {
    EXPECT_EQ(replaced("a = ?").text, "refused: write parameters as :name, not as ?");
    EXPECT_EQ(replaced("a = '?' /* ? */").text, "a = '?' /* ? */");
}

TEST(Placeholders, RefuseACommentThatServersRun) {
    EXPECT_TRUE(replaced("DELETE FROM t /*! WHERE a = :a */").text.starts_with("refused"));
    EXPECT_TRUE(replaced("DELETE FROM t /*M! x */").text.starts_with("refused"));
}

TEST(Placeholders, RefuseAnOpenQuote) {
    EXPECT_EQ(replaced("a = ':x").text, "refused: a quote ' is not closed");
}

TEST(ParameterNames, AreLettersDigitsAndUnderscores) {
    for (const auto* name : {"a", "_", "customer_2", "A1"}) EXPECT_TRUE(is_parameter_name(name)) << name;
    for (const auto* name : {"", "1a", "a-b", "a b", "a.b", "ä"})
        EXPECT_FALSE(is_parameter_name(name)) << name;
}

}  // namespace
}  // namespace sluice::effects
