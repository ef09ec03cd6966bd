#include <gtest/gtest.h>

#include "common/error.hpp"
#include "common/webhook/body/json_view.hpp"

namespace sluice::webhook {
namespace {

using Tokens = std::vector<std::string>;

TEST(Pointer, SplitsAndUnescapes) {
    EXPECT_EQ(Pointer::parse("")->tokens(), Tokens{});
    EXPECT_EQ(Pointer::parse("/a")->tokens(), Tokens{"a"});
    EXPECT_EQ(Pointer::parse("/")->tokens(), Tokens{""});
    EXPECT_EQ(Pointer::parse("//")->tokens(), (Tokens{"", ""}));
    EXPECT_EQ(Pointer::parse("/a/b/0")->tokens(), (Tokens{"a", "b", "0"}));
    EXPECT_EQ(Pointer::parse("/a~1b/m~0n/~01")->tokens(), (Tokens{"a/b", "m~n", "~1"}));
    EXPECT_EQ(Pointer::parse("/a~1b")->text(), "/a~1b");
}

TEST(Pointer, RefusesWhatIsNone) {
    for (const auto* text : {"a", "a/b", "#/a", "/~", "/a~", "/a~2", "/~/b", " /a"}) {
        const auto pointer = Pointer::parse(text);
        ASSERT_FALSE(pointer) << text;
        EXPECT_EQ(pointer.error(), errc::wrong_type) << text;
    }
}

}  // namespace
}  // namespace sluice::webhook
