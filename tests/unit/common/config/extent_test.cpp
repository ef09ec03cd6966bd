#include "common/config/extent.hpp"

#include <gtest/gtest.h>
#include <yaml-cpp/exceptions.h>

#include <format>

namespace sluice::config {
namespace {

std::string sentence_of(const std::string& text) {
    const auto excess = excess_of(text);
    return excess ? excess->sentence : "";
}

std::string repeated(std::string_view text, std::size_t times) {
    std::string all;
    for (std::size_t i = 0; i < times; ++i) all += text;
    return all;
}

/// `levels` lists, each of ten aliases to the one before: 10^levels values in a few lines.
std::string laughs(int levels) {
    std::string text = "a0: &a0 x\n";
    for (int i = 1; i <= levels; ++i)
        text += std::format("a{}: &a{} [{}]\n", i, i, repeated(std::format("*a{}, ", i - 1), 10));
    return text;
}

TEST(Extent, OfOrdinaryTextsIsNoExcess) {
    EXPECT_EQ(sentence_of("kafka: &k {brokers: [a, b]}\nredis: *k\nmysql:\n"), "");
    EXPECT_EQ(sentence_of(""), "");
    EXPECT_EQ(sentence_of(laughs(3)), "");
}

TEST(Extent, AliasesCountForWhatTheyStandFor) {
    const auto excess = excess_of(laughs(9));
    ASSERT_TRUE(excess);
    EXPECT_EQ(excess->sentence,
              "with its aliases expanded, and 16 bytes for each value, the file is larger than 4MiB");
    EXPECT_EQ(excess->mark.line, 6);  // a5 stands for 1.9 MB, two of it fit
}

TEST(Extent, TextsCountWithTheirBytes) {
    const std::string text = "a: &a " + std::string(512 * 1024, 'x') + "\nb: [";
    EXPECT_EQ(sentence_of(text + repeated("*a, ", 6) + "]"), "");
    EXPECT_NE(sentence_of(text + repeated("*a, ", 7) + "]"), "");
}

TEST(Extent, AnAliasNeverStandsForWhatItIsAPartOf) {
    for (const std::string text : {"a: &a [*a]\n", "a: &a {b: [*a]}\n", "&a {b: *a}\n", "&a {*a : b}\n"}) {
        EXPECT_EQ(sentence_of(text), "this alias refers to a value that contains it") << text;
    }
}

TEST(Extent, AnchorGivenAgainMeansTheLaterValue) {
    EXPECT_EQ(sentence_of("a: &a x\nb: &a [*a]\n"), "this alias refers to a value that contains it");
    EXPECT_EQ(sentence_of("a: &a x\nb: [*a]\nc: &a y\nd: *a\n"), "");
}

TEST(Extent, DepthIsBoundedAndCountsThroughAliases) {
    const auto nested = [](std::size_t depth) { return repeated("[", depth) + repeated("]", depth); };
    EXPECT_EQ(sentence_of(nested(deepest_value)), "");
    EXPECT_EQ(sentence_of(nested(deepest_value + 1)), "values are nested more than 32 levels deep");
    EXPECT_EQ(sentence_of("a: &a " + nested(20) + "\nb: " + repeated("[", 8) + "*a" + repeated("]", 8)), "");
    EXPECT_NE(sentence_of("a: &a " + nested(20) + "\nb: " + repeated("[", 20) + "*a" + repeated("]", 20)),
              "");
}

TEST(Extent, SecondDocumentIsNamedWhereItBegins) {
    const auto excess = excess_of("a: b\n---\nc: d\n");
    ASSERT_TRUE(excess);
    EXPECT_EQ(excess->mark.line, 1);
}

TEST(Extent, WhatNoDocumentCanBeginWithEnds) {
    for (const std::string text : {",", "{a: b},", "a: b\n---\n]", "- a\n}"}) {
        bool refused = true;
        try {
            refused = excess_of(text).has_value();
        } catch (const YAML::Exception&) {
        }
        EXPECT_TRUE(refused) << text;
    }
}

TEST(Extent, WhatIsNoYamlThrows) {
    EXPECT_THROW(static_cast<void>(excess_of("a: [")), YAML::Exception);
    EXPECT_THROW(static_cast<void>(excess_of("a: *nobody")), YAML::Exception);
}

}  // namespace
}  // namespace sluice::config
