#include "ingress/gate/chunked_body.hpp"

#include <gtest/gtest.h>

#include <format>

#include "tests/unit/ingress/gate/corpus.hpp"

namespace sluice::gate {
namespace {

constexpr std::size_t limit = 1024;

class WrongChunks : public testing::TestWithParam<Case> {};

TEST_P(WrongChunks, AreRefusedForTheirReason) {
    ChunkedBody decoder{limit, 16 * limit};
    std::string body;
    const auto fed = decoder.feed(GetParam().bytes, body);
    ASSERT_FALSE(fed);
    EXPECT_EQ(row_of(fed.error()).name, row_of(GetParam().refusal).name);
}

TEST_P(WrongChunks, AreRefusedByteByByteToo) {
    ChunkedBody decoder{limit, 16 * limit};
    std::string body;
    for (const char c : GetParam().bytes) {
        const auto fed = decoder.feed({&c, 1}, body);
        if (!fed) {
            EXPECT_EQ(fed.error(), GetParam().refusal);
            return;
        }
        ASSERT_FALSE(fed->complete);
    }
    FAIL() << "accepted";
}

INSTANTIATE_TEST_SUITE_P(Gate, WrongChunks, testing::ValuesIn(chunk_cases()),
                         [](const auto& one) { return one.param.name; });

const std::string two_chunks = "5\r\nhello\r\nA\r\n0123456789\r\n0\r\n\r\n";

TEST(ChunkedBody, IsDecodedWhereverItIsSplit) {
    const std::string wire = two_chunks + "POST";
    for (std::size_t split = 0; split <= two_chunks.size(); ++split) {
        ChunkedBody decoder{limit, limit};
        std::string body;
        const auto first = decoder.feed(std::string_view{wire}.substr(0, split), body);
        ASSERT_TRUE(first) << split;
        ASSERT_EQ(first->complete, split == two_chunks.size()) << split;
        if (first->complete) continue;
        const auto second = decoder.feed(std::string_view{wire}.substr(split), body);
        ASSERT_TRUE(second) << split;
        EXPECT_TRUE(second->complete);
        EXPECT_EQ(split + second->consumed, two_chunks.size()) << "the next request's bytes were taken";
        EXPECT_EQ(body, "hello0123456789");
    }
}

TEST(ChunkedBody, MayBeEmpty) {
    ChunkedBody decoder{limit, limit};
    std::string body;
    EXPECT_TRUE(decoder.feed("0\r\n\r\n", body)->complete);
    EXPECT_EQ(body, "");
}

TEST(ChunkedBody, ContentIsBoundedOverAllChunks) {
    ChunkedBody decoder{10, limit};
    std::string body;
    EXPECT_TRUE(decoder.feed("5\r\nhello\r\n5\r\nhello\r\n", body));
    EXPECT_EQ(decoder.feed("1\r\n", body).error(), Refusal::body_too_large);
}

TEST(ChunkedBody, WireIsBoundedWhateverTheContent) {
    ChunkedBody decoder{limit, 600};
    std::string body;
    std::size_t sent = 0;
    while (true) {
        const auto fed = decoder.feed("1\r\nx\r\n", body);
        sent += 6;
        if (!fed) {
            EXPECT_EQ(fed.error(), Refusal::wire_too_long);
            break;
        }
        ASSERT_LT(sent, 700U);
    }
    EXPECT_GT(sent, 600U);
}

TEST(ChunkedBody, ContentIsTakenWholeAtTheWireLimit) {
    ChunkedBody decoder{limit, two_chunks.size()};
    std::string body;
    EXPECT_TRUE(decoder.feed(two_chunks, body)->complete);
    ChunkedBody tighter{limit, two_chunks.size() - 1};
    EXPECT_EQ(tighter.feed(two_chunks, body).error(), Refusal::wire_too_long);
}

TEST(ChunkedBody, RefusalDoesNotDependOnThePieces) {
    // Its content ends behind the limit, and what follows is no end of a chunk.
    const std::string wire = "8\r\n12345678xx";
    std::string body;
    ChunkedBody at_once{limit, 10};
    EXPECT_EQ(at_once.feed(wire, body).error(), Refusal::wire_too_long);
    ChunkedBody in_two{limit, 10};
    EXPECT_TRUE(in_two.feed(wire.substr(0, 10), body));
    EXPECT_EQ(in_two.feed(wire.substr(10), body).error(), Refusal::wire_too_long);
}

}  // namespace
}  // namespace sluice::gate
