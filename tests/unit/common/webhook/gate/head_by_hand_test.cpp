// The reader that went before Beast says the same of each head: what is read of it, or why it is refused.
#include <gtest/gtest.h>

#include "common/webhook/gate/head.hpp"
#include "tests/fuzz/gate/head_reference.hpp"
#include "tests/unit/ingress/gate/corpus.hpp"

namespace sluice::gate {
namespace {

std::string said_of(const std::expected<void, Refusal>& read) {
    return read ? "taken" : std::string{row_of(read.error()).name};
}

/// Nothing, or how the two differ.
std::string difference(std::string_view bytes) {
    static Head head;
    static Head other;
    const std::string read = said_of(read_head(bytes, head));
    const std::string by_hand = said_of(fuzz::read_head_by_hand(bytes, other));
    if (read != by_hand) return read + ", by hand " + by_hand;
    return read != "taken" || fuzz::is_same_reading(head, other) ? "" : "another reading";
}

const std::vector<std::string> whole_heads{
    request({"Host: x:1", "Content-Length: 5", "A:  b\tc ", "Connection: te, close"}, ""),
    request({"Host: [::1]", "Transfer-Encoding: chunked", "a_b: \xe9", "Expect: 100-continue"}, ""),
    request({"Host: x", "Content-Length: 0", "Proxy-Connection: keep-alive", "X_A:"}, "",
            "POST /a?b HTTP/1.0")};

TEST(HeadByHand, AgreesOnEachCase) {
    for (const Case& one : all_cases()) {
        const std::size_t end = one.bytes.find("\r\n\r\n");
        EXPECT_EQ(difference(one.bytes), "") << one.name;
        EXPECT_EQ(difference(std::string_view{one.bytes}.substr(0, end + 4)), "") << one.name;
    }
}

TEST(HeadByHand, AgreesOnEachByteInEachPlace) {
    for (const std::string& head : whole_heads) {
        ASSERT_EQ(difference(head), "");
        std::string bytes = head;
        for (std::size_t at = 0; at < head.size(); ++at) {
            for (int byte = 0; byte < 0x100; ++byte) {
                bytes[at] = static_cast<char>(byte);
                ASSERT_EQ(difference(bytes), "") << byte << " at " << at << " of " << head;
            }
            bytes[at] = head[at];
        }
    }
}

TEST(HeadByHand, AgreesWhereALineIsMissingOrThereTwice) {
    for (const std::string& head : whole_heads)
        for (std::size_t at = 0; at < head.size(); ++at)
            for (const std::size_t count : {1U, 2U, 7U}) {
                const std::string piece = head.substr(at, count);
                ASSERT_EQ(difference(std::string{head}.erase(at, count)), "") << at << ", " << count;
                ASSERT_EQ(difference(std::string{head}.insert(at, piece)), "") << at << ", " << count;
            }
}

/// Beast stops at the first field that it does not like; the names of refusals know another order.
TEST(HeadByHand, AgreesOnWhichOfTwoFieldsIsNamed) {
    const std::vector<std::string> wrong{"Content-Length: 5",
                                         "Content-Length: 5, 5",
                                         "Content-Length: 6",
                                         "Content-Length: x",
                                         "Transfer-Encoding: chunked",
                                         "Transfer-Encoding: gzip",
                                         "Transfer-Encoding: gzip, chunked",
                                         "Connection: a b",
                                         "Proxy-Connection: \xe9",
                                         "Upgrade: x",
                                         "Expect: x",
                                         "Host: y",
                                         "Host_: y",
                                         "Content_Length: 5",
                                         "A b: c",
                                         "A",
                                         " A: b",
                                         "A: \x01",
                                         "A: b\nc",
                                         "A: b\rc",
                                         "X: \xe9"};
    for (const std::string& first : wrong)
        for (const std::string& second : wrong)
            for (const std::string& third : wrong)
                for (const char* version : {"1.0", "1.1"})
                    ASSERT_EQ(difference(request({first, "Host: x", second, third}, "",
                                                 std::string{"POST / HTTP/"} + version)),
                              "")
                        << first << " | " << second << " | " << third << " | " << version;
}

}  // namespace
}  // namespace sluice::gate
