#include "common/error.hpp"

#include <set>
#include <string>

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(Error, EachCodeHasASentenceOfItsOwn) {
    constexpr int last = static_cast<int>(errc::injected);
    std::set<std::string> messages;
    for (int code = 1; code <= last; ++code) {
        const std::error_code error = static_cast<errc>(code);
        EXPECT_FALSE(error.message().starts_with("unknown")) << code;
        messages.insert(error.message());
    }
    EXPECT_EQ(messages.size(), last);
}

TEST(Error, AnUnknownCodeSaysItsNumber) {
    EXPECT_EQ((std::error_code{999, sluice_category()}).message(), "unknown error 999");
}

}  // namespace
}  // namespace sluice
