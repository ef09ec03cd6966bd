#include "common/utf8.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(Utf8, IsWhatUnicodeCallsWellFormed) {
    for (const std::string& good :
         std::vector<std::string>{"", "a", "a longer text of ASCII", "tab\t", "\xC2\x80", "\xE0\xA0\x80",
                                  "\xED\x9F\xBF", "\xEF\xBF\xBF", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"}) {
        EXPECT_TRUE(is_utf8(good)) << good;
        EXPECT_TRUE(is_utf8("eight or more " + good + good)) << good;
    }
    EXPECT_TRUE(is_utf8(std::string_view{"\0", 1}));
}

TEST(Utf8, IsNothingElse) {
    for (const std::string& bad : std::vector<std::string>{
             "\x80", "\xC0\x80", "\xC1\xBF", "\xC2", "\xC2(", "\xE0\x9F\xBF", "\xE2\x82", "\xED\xA0\x80",
             "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF"}) {
        EXPECT_FALSE(is_utf8(bad));
        EXPECT_FALSE(is_utf8("eight or more " + bad));
        EXPECT_FALSE(is_utf8(bad + " and more of it"));
    }
}

}  // namespace
}  // namespace sluice
