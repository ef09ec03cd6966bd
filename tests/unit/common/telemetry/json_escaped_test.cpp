#include <random>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "common/telemetry/log.hpp"

namespace sluice {
namespace {

using namespace std::string_literals;

const std::string unknown = "\xEF\xBF\xBD";

std::string read_back(const std::string& escaped) {
    return nlohmann::json::parse('"' + escaped + '"');
}

TEST(JsonEscaped, KeepsPlainTextAsItIs) {
    EXPECT_EQ(json_escaped("evt_1 / \xC3\xA4 \xE2\x82\xAC \xF0\x9F\x92\xB6"),
              "evt_1 / \xC3\xA4 \xE2\x82\xAC \xF0\x9F\x92\xB6");
    EXPECT_EQ(json_escaped(""), "");
}

TEST(JsonEscaped, EscapesWhatJsonAndTerminalsTakeForThemselves) {
    EXPECT_EQ(json_escaped("\"\\\n\r\t"), R"(\"\\\n\r\t)");
    EXPECT_EQ(json_escaped("\0\x1B\x7F"s), R"(\u0000\u001b\u007f)");
    EXPECT_EQ(json_escaped("\xC2\x9B\xC2\xA0"), "\\u009b\xC2\xA0");
}

TEST(JsonEscaped, EscapesEveryLineEndOfUnicode) {
    EXPECT_EQ(json_escaped("\xC2\x85\xE2\x80\xA8\xE2\x80\xA9\v\f"), R"(\u0085\u2028\u2029\u000b\u000c)");
    EXPECT_EQ(json_escaped("\xE2\x80\xA7\xE2\x80\xAA"), "\xE2\x80\xA7\xE2\x80\xAA");
}

TEST(JsonEscaped, ReplacesEachByteThatIsNoUtf8) {
    struct Case {
        std::string text;
        std::size_t lost;
    };
    for (const Case& one :
         {Case{"\xFF", 1}, Case{"\x80", 1}, Case{"\xC3", 1}, Case{"\xC0\xAF", 2}, Case{"\xC1\xBF", 2},
          Case{"\xE0\x80\xAF", 3}, Case{"\xE2\x82", 2}, Case{"\xED\xA0\x80", 3}, Case{"\xED\xBF\xBF", 3},
          Case{"\xF0\x80\x80\xAF", 4}, Case{"\xF4\x90\x80\x80", 4}, Case{"\xF5\x80\x80\x80", 4},
          Case{"\xF0\x9F\x92", 3}, Case{"\xE2\x28\xA1", 2}}) {
        std::string expected;
        for (std::size_t i = 0; i < one.lost; ++i) expected += unknown;
        std::string got = read_back(json_escaped(one.text));
        std::erase(got, '(');
        EXPECT_EQ(got, expected);
    }
}

TEST(JsonEscaped, AcceptsTheEdgesOfUtf8) {
    for (const std::string& text :
         {"\xC2\xA0"s, "\xDF\xBF"s, "\xE0\xA0\x80"s, "\xED\x9F\xBF"s, "\xEE\x80\x80"s, "\xEF\xBF\xBF"s,
          "\xF0\x90\x80\x80"s, "\xF4\x8F\xBF\xBF"s}) {
        EXPECT_EQ(json_escaped(text), text);
    }
}

TEST(JsonEscaped, CutsAtTheLimitAndNotInsideACharacter) {
    EXPECT_EQ(json_escaped(std::string(300, 'a')), std::string(256, 'a'));
    EXPECT_EQ(json_escaped("ab\xE2\x82\xAC", 5), "ab\xE2\x82\xAC");
    EXPECT_EQ(json_escaped("ab\xE2\x82\xAC", 4), "ab");
    EXPECT_EQ(json_escaped("ab\xE2\x82\xAC", 3), "ab");
    EXPECT_EQ(json_escaped("ab\xE2\x82\xAC", 2), "ab");
    EXPECT_EQ(json_escaped("ab", 0), "");
    EXPECT_EQ(json_escaped("\xF0\x9F\x92\xB6", 3), "");
    EXPECT_EQ(json_escaped("\n\n\n", 2), "\\n\\n");
    EXPECT_EQ(read_back(json_escaped("\x80\x80\x80\x80\x80\x80", 5)),
              unknown + unknown + unknown + unknown + unknown);
}

TEST(JsonEscaped, AnyBytesReadBack) {
    std::mt19937 random{7};
    for (int round = 0; round < 2000; ++round) {
        std::string text(random() % 40, '\0');
        for (char& c : text) c = static_cast<char>(random() % 4 == 0 ? 0xC0 + random() % 64 : random() % 256);
        EXPECT_NO_THROW((void)read_back(json_escaped(text, random() % 48)));
    }
}

}  // namespace
}  // namespace sluice
