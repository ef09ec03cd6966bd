#include "consumer/store/inbox/effect_names.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace sluice::store {
namespace {

using Names = std::vector<std::string>;

TEST(EffectNames, ComeBackAsTheyWere) {
    std::string every_byte;
    for (int byte = 0; byte < 256; ++byte) every_byte.push_back(static_cast<char>(byte));
    for (const auto& names : {Names{}, Names{""}, Names{"pay", "mail"}, Names{"", ""},
                              Names{"a\"b\\c,]", "["}, Names{every_byte, every_byte}, Names{"Grüße €"}}) {
        EXPECT_EQ(effects_from(effects_text(names)), names) << effects_text(names);
    }
}

TEST(EffectNames, AreAJsonArray) {
    EXPECT_EQ(effects_text(Names{}), "[]");
    EXPECT_EQ(effects_text(Names{"pay", "say \"hi\"\n"}), R"(["pay","say \"hi\"\u000a"])");
}

TEST(EffectNames, SayThatNobodyHasMatchedTheEventYet) {
    EXPECT_FALSE(is_matched(effects_from(effects_text(not_matched_yet()))));
    EXPECT_TRUE(is_matched(Names{})) << "matched by no effect";
    EXPECT_TRUE(is_matched(Names{"pay"}));
}

TEST(EffectNames, RefuseWhatIsNotTheirs) {
    for (const auto* text : {"", "[", "]", "pay", "[pay]", "[\"pay\"", "[\"pay\"],", "[\"a\" \"b\"]",
                             "[\"a\",]", "[\"\\n\"]", "[\"\\u00\"]", "[\"\\u0041\"]", "[\"\\", "[\"a\"]]"}) {
        EXPECT_THROW(static_cast<void>(effects_from(text)), std::runtime_error) << text;
    }
}

}  // namespace
}  // namespace sluice::store
