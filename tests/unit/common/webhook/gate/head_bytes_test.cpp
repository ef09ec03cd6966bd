#include "common/webhook/gate/head_bytes.hpp"

#include <gtest/gtest.h>

#include <string>

namespace sluice::gate {
namespace {

const std::string sound_lines = "POST /a HTTP/1.1\r\nHost: x\r\nA: b c\t d\r\n\r\n";

/// Behind so many letters that each byte comes to stand at each place of a block.
template <class Block>
HeadBytes behind(std::size_t letters, const std::string& bytes) {
    return look_over<Block>(std::string(letters, 'a') + bytes);
}

template <class Block>
class LookOver : public testing::Test {};

using Blocks = testing::Types<PortableSixteen, Sixteen>;
TYPED_TEST_SUITE(LookOver, Blocks);

TYPED_TEST(LookOver, TakesWholeLineEndsAndTabs) {
    for (std::size_t letters = 0; letters < 2 * sixteen; ++letters) {
        const HeadBytes seen = behind<TypeParam>(letters, sound_lines);
        EXPECT_TRUE(seen.are_sound) << letters;
        EXPECT_FALSE(seen.have_obs_text) << letters;
        EXPECT_FALSE(seen.have_underscore) << letters;
    }
}

TYPED_TEST(LookOver, RefusesWhatEndsOrFoldsALineForSomeReaders) {
    const std::string lines[] = {"a\nb",    "a\rb",     "a\r\rb",     "a\n\nb",   "a\n\rb", "a\r\r\nb",
                                 "a\r\n b", "a\r\n\tb", "\r\n\r\n b", "a\r\n\nb", "a\r",    "a\r\n\r"};
    for (const std::string& line : lines)
        for (std::size_t letters = 0; letters < 2 * sixteen; ++letters)
            EXPECT_FALSE(behind<TypeParam>(letters, line).are_sound) << letters << ": " << line;
}

TYPED_TEST(LookOver, RefusesEachControlCharacterAtEachPlace) {
    for (int byte = 0; byte < 0x80; ++byte) {
        const char c = static_cast<char>(byte);
        const bool is_fine = c == '\t' || (c >= 0x20 && c < 0x7f);
        for (std::size_t letters = 0; letters < 2 * sixteen; ++letters)
            ASSERT_EQ(behind<TypeParam>(letters, std::string{c} + sound_lines).are_sound, is_fine)
                << byte << " behind " << letters;
    }
}

TYPED_TEST(LookOver, TellsOfObsTextAndUnderscores) {
    for (int byte = 0; byte < 0x100; ++byte) {
        const std::string bytes = std::string{static_cast<char>(byte)} + sound_lines;
        for (std::size_t letters = 0; letters < 2 * sixteen; ++letters) {
            const HeadBytes seen = behind<TypeParam>(letters, bytes);
            if (!seen.are_sound) continue;
            ASSERT_EQ(seen.have_obs_text, byte > 0x7f) << byte << " behind " << letters;
            ASSERT_EQ(seen.have_underscore, byte == '_') << byte << " behind " << letters;
        }
    }
}

TYPED_TEST(LookOver, EndsWithItsText) {
    const std::string bytes = "aaaaaaaaaaaaaaaaaaaaa\n_\x01\xff";
    EXPECT_TRUE(look_over<TypeParam>(std::string_view{bytes}.substr(0, 21)).are_sound);
    EXPECT_TRUE(look_over<TypeParam>("").are_sound);
}

}  // namespace
}  // namespace sluice::gate
