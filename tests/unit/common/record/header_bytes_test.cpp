#include "common/record/header_bytes.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "common/error.hpp"

namespace sluice::record {
namespace {

using Headers = std::vector<std::pair<std::string, std::string>>;

std::vector<HeaderView> views_of(const Headers& headers) {
    std::vector<HeaderView> views;
    for (const auto& [name, value] : headers) views.push_back({name, value});
    return views;
}

Headers owned(const std::vector<HeaderView>& views) {
    Headers headers;
    for (const auto& view : views) headers.emplace_back(view.name, view.value);
    return headers;
}

std::string any_bytes(std::mt19937& random, std::size_t most) {
    std::string text(std::uniform_int_distribution<std::size_t>{0, most}(random), '\0');
    for (char& byte : text) byte = static_cast<char>(random());
    return text;
}

TEST(HeaderBytes, ComeBackAsTheyWere) {
    std::mt19937 random{20261122};
    for (int round = 0; round < 500; ++round) {
        Headers headers;
        for (auto count = random() % 20; count > 0; --count) {
            headers.emplace_back(any_bytes(random, 300), any_bytes(random, 70'000 / (1 + random() % 1000)));
        }
        const auto bytes = header_bytes(views_of(headers));
        ASSERT_TRUE(bytes);
        const auto read = headers_from(*bytes);
        ASSERT_TRUE(read) << "round " << round;
        EXPECT_EQ(owned(*read), headers) << "round " << round;
    }
}

TEST(HeaderBytes, KeepRepeatedNamesAndTheirOrder) {
    const Headers headers{{"a", "1"}, {"b", ""}, {"a", "2"}, {"", "3"}};
    EXPECT_EQ(owned(*headers_from(*header_bytes(views_of(headers)))), headers);
}

TEST(HeaderBytes, AreWrittenAsPromised) {
    const std::vector<HeaderView> headers{{"ab", "xyz"}};
    EXPECT_EQ(header_bytes(headers), std::string("\0\2ab\0\0\0\3xyz", 11));
    EXPECT_EQ(header_bytes({}), "");
}

TEST(HeaderBytes, AreRefusedWhenCutAnywhereInAHeader) {
    const std::vector<HeaderView> headers{{"name", "value"}, {"second", "more"}};
    const auto bytes = *header_bytes(headers);
    const auto first = 2 + 4 + 4 + 5;
    for (std::size_t length = 1; length < bytes.size(); ++length) {
        const auto read = headers_from(std::string_view{bytes}.substr(0, length));
        ASSERT_EQ(read.has_value(), length == first) << "cut at " << length;
        if (read) continue;
        EXPECT_EQ(read.error(), make_error_code(errc::undecodable));
    }
}

TEST(HeaderBytes, RefuseANameThatIsLongerThanItsLengthCanSay) {
    const std::string most(0xFFFF, 'n');
    const std::string more(0x10000, 'n');
    EXPECT_TRUE(header_bytes(std::vector<HeaderView>{{most, ""}}));
    EXPECT_FALSE(header_bytes(std::vector<HeaderView>{{more, ""}}));
}

}  // namespace
}  // namespace sluice::record
