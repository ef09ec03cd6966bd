#include "command/http/key_field.hpp"

#include <gtest/gtest.h>

namespace sluice::command {
namespace {

std::string key_of(std::string_view field) {
    return read_key_field(field).value_or("refused");
}

TEST(KeyField, IsAStringInQuotes) {
    EXPECT_EQ(key_of(R"("8e03978e-40d5")"), "8e03978e-40d5");
    EXPECT_EQ(key_of(R"("a b~!")"), "a b~!");
}

TEST(KeyField, BackslashesGo) {
    EXPECT_EQ(key_of(R"("a\"b\\c")"), R"(a"b\c)");
    for (const auto* wrong : {R"("a\b")", R"("a\)", R"("a\")"}) EXPECT_EQ(key_of(wrong), "refused") << wrong;
}

TEST(KeyField, BareTokenIsToldWhatWouldBeRight) {
    const auto refused = read_key_field("8e03978e");
    ASSERT_FALSE(refused);
    EXPECT_TRUE(refused.error().contains("in quotes")) << refused.error();
    EXPECT_FALSE(refused.error().contains("8e03978e\"")) << "the key came back";
}

TEST(KeyField, NothingElseIsOne) {
    for (const auto* wrong : {"", "\"", "\"a", "a\"", "\"a\"b", "\"a\";v=1", "\"a\", \"b\"", "\"a\tb\"",
                              "\"\x7f\"", "\"\xc3\xa4\"", "1", "?1", ":YQ==:", "'a'"})
        EXPECT_EQ(key_of(wrong), "refused") << wrong;
}

TEST(KeyField, HasOneToTwoHundredAndFiftyFiveCharacters) {
    EXPECT_EQ(key_of("\"\""), "refused");
    EXPECT_EQ(key_of('"' + std::string(255, 'k') + '"'), std::string(255, 'k'));
    EXPECT_EQ(key_of('"' + std::string(256, 'k') + '"'), "refused");
}

TEST(KeyField, CanBeNamedByAPath) {
    EXPECT_EQ(key_of("\".\""), "refused");
    EXPECT_EQ(key_of("\"..\""), "refused");
    EXPECT_EQ(key_of("\"...\""), "...");
}

}  // namespace
}  // namespace sluice::command
