#include "common/record/source_keys.hpp"

#include <gtest/gtest.h>

namespace sluice::record {
namespace {

const SourceKeys stripe{"/stripe", "stripe", "acct_a", "id: \"/id\"\nmode: live\norder: \"/a\" | \"/b\""};

SourceKeys with(SourceKeys keys, const std::string& made_of) {
    keys.made_of = made_of;
    return keys;
}

/// What the change from the one to the other is called; empty: it is none.
std::string difference(const SourceKeys& before, const SourceKeys& now) {
    const auto changes = changed_keys(std::vector{before}, std::vector{now});
    return changes.empty() ? "" : difference_of(changes.front());
}

TEST(ChangedKeys, TheSameAreNoChange) {
    EXPECT_EQ(difference(stripe, stripe), "");
}

TEST(ChangedKeys, APathOfAnotherAccountIsOne) {
    SourceKeys other = stripe;
    other.principal = "acct_b";
    EXPECT_EQ(difference(stripe, other), "principal acct_a, now acct_b");
    other.provider = "paddle";
    EXPECT_EQ(difference(stripe, other), "provider stripe, now paddle; principal acct_a, now acct_b");
}

TEST(ChangedKeys, AnAccountWhoseKeysAreMadeOtherwiseIsOneAtAnyPath) {
    SourceKeys moved = with(stripe, "id: \"/id\"\nmode: live\norder: \"/b\" | \"/a\"");
    EXPECT_EQ(difference(stripe, moved), R"(order: "/a" | "/b", now "/b" | "/a")");
    moved.path = "/moved";
    EXPECT_EQ(difference(stripe, moved), R"(order: "/a" | "/b", now "/b" | "/a")");
    EXPECT_EQ(difference(stripe, with(moved, stripe.made_of)), "") << "a path has no part in keys";
}

TEST(ChangedKeys, OtherAccountsHaveKeysOfTheirOwn) {
    SourceKeys other = with(stripe, "id: \"/number\"");
    other.path = "/other";
    other.principal = "acct_b";
    EXPECT_EQ(difference(stripe, other), "");
}

TEST(ChangedKeys, MoreAlternativesOfTheIdAreNone) {
    const SourceKeys longer = with(stripe, "id: \"/id\" | \"/number\"\nmode: live\norder: \"/a\" | \"/b\"");
    EXPECT_EQ(difference(stripe, longer), "") << "what could be read keeps its id";
    EXPECT_EQ(difference(longer, stripe), "") << "also on the way back";
    EXPECT_EQ(difference(longer, with(stripe, "id: \"/id\" | \"/code\"\nmode: live\norder: \"/a\" | \"/b\"")),
              R"(id: "/id" | "/number", now "/id" | "/code")");
    EXPECT_NE(
        difference(stripe, with(stripe, "id: \"/number\" | \"/id\"\nmode: live\norder: \"/a\" | \"/b\"")),
        "");
    EXPECT_NE(difference(stripe, with(stripe, "id: \"/id\" + \"/n\"\nmode: live\norder: \"/a\" | \"/b\"")),
              "");
    EXPECT_NE(difference(stripe, with(stripe, "id: \"/id\"\nmode: live\norder: \"/a\" | \"/b\" | \"/c\"")),
              "")
        << "an event without an object would get one";
}

TEST(ChangedKeys, ALineThatOnlyOneOfThemHasIsOne) {
    EXPECT_EQ(difference(stripe, with(stripe, stripe.made_of + "\nday: none")), "day: , now none");
    EXPECT_EQ(difference(with(stripe, stripe.made_of + "\nday: none"), stripe), "day: none, now ");
}

TEST(ChangedKeys, TheSentenceNamesPathDifferenceAndPage) {
    SourceKeys other = stripe;
    other.principal = "acct_b";
    const auto changes = changed_keys(std::vector{stripe}, std::vector{other});
    const std::string sentence = keys_changed(changes);
    for (const char* part : {"/stripe", "principal acct_a, now acct_b", "docs/upgrade.md"})
        EXPECT_TRUE(sentence.contains(part)) << sentence;
}

TEST(NewsOf, PathsThatNobodyKnowsAndLongerIds) {
    const SourceKeys longer = with(stripe, "id: \"/id\" | \"/number\"\nmode: live\norder: \"/a\" | \"/b\"");
    EXPECT_EQ(news_of({}, std::vector{stripe}), std::vector{stripe});
    EXPECT_TRUE(news_of(std::vector{stripe}, std::vector{stripe}).empty());
    EXPECT_EQ(news_of(std::vector{stripe}, std::vector{longer}), std::vector{longer});
    EXPECT_TRUE(news_of(std::vector{longer}, std::vector{stripe}).empty())
        << "what events may have had stays";
}

TEST(KeysDigest, IsThatOfTheText) {
    EXPECT_EQ(keys_digest(stripe.made_of), "d3eb30f1ca639298")
        << "it lies in records: another one stops consumers";
    EXPECT_NE(keys_digest(stripe.made_of), keys_digest("id: \"/id\"\nmode: live\norder: \"/a\""));
}

TEST(KeysStamp, AgreesWithAnotherAsFarAsBothGo) {
    const std::string a(16, 'a');
    const std::string b(16, 'b');
    const std::string c(16, 'c');
    EXPECT_TRUE(stamps_agree(a + b, a + b));
    EXPECT_TRUE(stamps_agree(a + b, a)) << "the id stood at the first place";
    EXPECT_TRUE(stamps_agree(a, a + b)) << "a place that the other file does not read at all";
    EXPECT_FALSE(stamps_agree(a + b, a + c));
    EXPECT_FALSE(stamps_agree(a + b, c));
    EXPECT_FALSE(stamps_agree(a, c + a));
    for (const char* none : {"", "a", "aaaaaaaaaaaaaaa"}) EXPECT_FALSE(stamps_agree(a, none));
}

TEST(KeysStamp, OfAnEventGoesUpToThePlaceOfItsId) {
    const std::string a(16, 'a');
    const std::string b(16, 'b');
    EXPECT_EQ(stamp_up_to(a + b, 0), a);
    EXPECT_EQ(stamp_up_to(a + b, 1), a + b);
}

}  // namespace
}  // namespace sluice::record
