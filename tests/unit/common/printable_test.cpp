#include "common/printable.hpp"

#include <string>

#include <gtest/gtest.h>

namespace sluice {
namespace {

bool is_plain(int byte) {
    return byte >= 0x20 && byte < 0x7f && byte != '"' && byte != '\\';
}

TEST(Printable, IsAsciiWithoutControlCharacters) {
    EXPECT_TRUE(is_printable(""));
    EXPECT_TRUE(is_printable("application/json; charset=utf-8 ~"));
}

TEST(Printable, EveryByteCountsWhereverItStands) {
    for (int value = 0; value < 256; ++value) {
        const char c = static_cast<char>(value);
        for (std::size_t size = 1; size < 20; ++size) {
            for (std::size_t at = 0; at < size; ++at) {
                std::string text(size, 'a');
                text[at] = c;
                ASSERT_EQ(is_printable(text), value >= 0x20 && value < 0x7f)
                    << value << " at " << at << " of " << size;
                ASSERT_EQ(is_plain_json(text), is_plain(value)) << value << " at " << at << " of " << size;
            }
        }
    }
}

/// What is below a byte must not hide it, nor make it look like another.
TEST(Printable, NeighboursDoNotMatter) {
    for (int a = 0; a < 256; ++a) {
        for (int b = 0; b < 256; ++b) {
            std::string text(8, ' ');
            text[3] = static_cast<char>(a);
            text[4] = static_cast<char>(b);
            ASSERT_EQ(is_printable(text), is_printable(text[3]) && is_printable(text[4])) << a << ' ' << b;
            ASSERT_EQ(is_plain_json(text), is_plain(a) && is_plain(b)) << a << ' ' << b;
        }
    }
}

}  // namespace
}  // namespace sluice
