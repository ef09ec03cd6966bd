#include "common/webhook/gate/head.hpp"

#include <gtest/gtest.h>

#include "common/webhook/gate/admission.hpp"
#include "common/webhook/gate/field_meaning.hpp"
#include "tests/unit/ingress/gate/corpus.hpp"
#include "tests/unit/ingress/support/test_sources.hpp"

namespace sluice::gate {
namespace {

/// What the gate says of the bytes as they are: the end of the head, the head, the source.
std::expected<void, Refusal> judge(std::string_view bytes, Head& head) {
    static const auto source = ingress::test_sources().front();
    const auto end = find_head_end(bytes);
    if (!end) return std::unexpected{end.error()};
    if (*end == 0) return std::unexpected{Refusal::head_timeout};  // it would wait for more
    if (const auto read = read_head(bytes.substr(0, *end), head); !read) return read;
    return admit(head, head.path == source->path ? source.get() : nullptr);
}

class Corpus : public testing::TestWithParam<Case> {};

TEST_P(Corpus, IsRefusedForItsReason) {
    Head head;
    const auto judged = judge(GetParam().bytes, head);
    ASSERT_FALSE(judged);
    EXPECT_EQ(row_of(judged.error()).name, row_of(GetParam().refusal).name);
}

INSTANTIATE_TEST_SUITE_P(Gate, Corpus, testing::ValuesIn(all_cases()),
                         [](const auto& one) { return one.param.name; });

const std::string good = request({"Host: sluice.test", "Content-Length: 5", "X-Mark:  a b \t", "accept: */*"},
                                 "hello", "POST " + known_path + "?a=b?c HTTP/1.1");

TEST(Head, IsReadAsItStands) {
    Head head;
    ASSERT_TRUE(judge(good, head));
    EXPECT_EQ(head.method, "POST");
    EXPECT_EQ(head.target, known_path + "?a=b?c");
    EXPECT_EQ(head.path, known_path);
    EXPECT_EQ(head.query, "a=b?c");
    ASSERT_EQ(head.fields().size(), 4U);
    EXPECT_EQ(head.fields()[2].name, "X-Mark");
    EXPECT_EQ(head.fields()[2].value, "a b");
    EXPECT_EQ(head.framing.kind, Framing::Kind::length);
    EXPECT_EQ(head.framing.length, 5U);
    EXPECT_TRUE(head.keep_alive);
    EXPECT_FALSE(head.expects_continue);
}

TEST(Head, EndIsFoundWhereverTheBytesAreSplit) {
    const std::size_t whole = good.find("\r\n\r\n") + 4;
    for (std::size_t first = 0; first <= good.size(); ++first) {
        const auto before = find_head_end(std::string_view{good}.substr(0, first));
        ASSERT_TRUE(before) << first;
        ASSERT_EQ(*before, first < whole ? 0 : whole) << first;
        const auto after = find_head_end(good, std::min(first, whole - 1));
        ASSERT_EQ(*after, whole) << first;
    }
}

TEST(Head, EndIsFoundByteByByte) {
    const std::size_t whole = good.find("\r\n\r\n") + 4;
    for (std::size_t count = 1; count < whole; ++count)
        ASSERT_EQ(find_head_end(std::string_view{good}.substr(0, count), count - 1).value(), 0U);
    EXPECT_EQ(find_head_end(std::string_view{good}.substr(0, whole), whole - 1).value(), whole);
}

TEST(Head, BytesBehindItAreNotJudged) {
    Head head;
    EXPECT_TRUE(judge(request({"Host: x", "Content-Length: 2"}, "\n\n"), head));
}

TEST(Head, WaitsForMoreOfAGoodBeginning) {
    EXPECT_EQ(find_head_end("").value(), 0U);
    EXPECT_EQ(find_head_end("POST /v1/webhooks HTTP/1.1\r\nHost: x\r\n").value(), 0U);
}

TEST(Head, LastSizeIsAcceptedAndTheNextRefused) {
    const std::string frame = request({"Host: x", "Content-Length: 5", "X-Long: "}, "");
    const auto of_size = [&](std::size_t size) {
        return request({"Host: x", "Content-Length: 5", "X-Long: " + std::string(size - frame.size(), 'a')},
                       "");
    };
    Head head;
    EXPECT_TRUE(judge(of_size(max_head_bytes), head));
    EXPECT_EQ(judge(of_size(max_head_bytes + 1), head).error(), Refusal::head_too_large);
}

TEST(Head, SixtyFourFieldsAreAccepted) {
    std::vector<std::string> fields{"Host: x", "Content-Length: 5"};
    while (fields.size() < max_fields) fields.push_back("X-" + std::to_string(fields.size()) + ": 1");
    Head head;
    EXPECT_TRUE(judge(request(fields), head));
    EXPECT_EQ(head.fields().size(), max_fields);
}

TEST(Head, FieldsBeyondBeastsOwnLimitAreAccepted) {
    std::vector<std::string> fields{"Host: x", "Content-Length: 5"};
    while (fields.size() < max_fields)
        fields.push_back("X-Name-" + std::to_string(fields.size()) + ": " + std::string(200, 'v'));
    Head head;
    ASSERT_TRUE(judge(request(fields), head));
    EXPECT_EQ(head.fields().back().value, std::string(200, 'v'));
}

TEST(Head, ValuesAreTheBytesThatCame) {
    Head head;
    const std::string bytes = request({"Host: x", "Content-Length: 5", "A: b", "B: \t", "C:d"});
    ASSERT_TRUE(judge(bytes, head));
    for (const auto& field : head.fields()) {
        EXPECT_GE(field.value.data(), bytes.data()) << field.name;
        EXPECT_LE(field.value.data() + field.value.size(), bytes.data() + bytes.size()) << field.name;
    }
    EXPECT_EQ(head.fields()[2].value, "b");
    EXPECT_EQ(head.fields()[3].value, "");
    EXPECT_EQ(head.fields()[4].value, "d");
}

TEST(Head, ConnectionOptionsDecideOnKeepAlive) {
    Head head;
    ASSERT_TRUE(judge(request({"Host: x", "Content-Length: 5", "Connection: Keep-Alive"}), head));
    EXPECT_TRUE(head.keep_alive);
    ASSERT_TRUE(judge(request({"Host: x", "Content-Length: 5", "Connection: keep-alive , Close"}), head));
    EXPECT_FALSE(head.keep_alive);
    ASSERT_TRUE(judge(request({"Host: x", "Content-Length: 5"}), head));
    EXPECT_TRUE(head.keep_alive);
}

TEST(Head, OtherConnectionOptionsAreNoneOfOurs) {
    const auto keeps = [](const std::string& options) {
        Head head;
        EXPECT_TRUE(judge(request({"Host: x", "Content-Length: 5", options}), head)) << options;
        return head.keep_alive;
    };
    for (const std::string options :
         {"Connection: TE", "Connection:", "Connection: ,", "Connection: upgrade",
          "Connection: keep-alive, x-a,", "Connection: , ,\t, keep-alive", "Connection: stripe-signature",
          "Connection: closed", "Connection: xclose", "Proxy-Connection: keep-alive"})
        EXPECT_TRUE(keeps(options)) << options;
    for (const std::string options :
         {"Connection: TE, close", "Connection: close,", "Connection: ,CLOSE",
          "Connection: keep-alive\r\nConnection: close", "Proxy-Connection: close"})
        EXPECT_FALSE(keeps(options)) << options;
}

TEST(Head, BytesAboveAsciiAreFineInFieldsThatNobodyReads) {
    for (const std::string value : {"S\xc3\xa3o Paulo", "\xe9", "a\t\xff\x80", "\xa0"}) {
        Head head;
        const std::string bytes = request({"Host: x", "Content-Length: 5", "CF-IPCity: " + value});
        ASSERT_TRUE(judge(bytes, head)) << value;
        EXPECT_EQ(head.fields()[2].value, value) << "no space is taken off but ASCII's";
    }
}

const std::string http_1_0 = "POST " + known_path + " HTTP/1.0";

TEST(Head, Http10IsTakenAndItsConnectionIsNotKept) {
    for (const std::string more :
         {"A: b", "Connection: close", "Connection: keep-alive", "Proxy-Connection: keep-alive"}) {
        Head head;
        ASSERT_TRUE(judge(request({"Host: x", "Content-Length: 5", more}, "hello", http_1_0), head)) << more;
        EXPECT_TRUE(head.is_http_1_0);
        EXPECT_FALSE(head.keep_alive) << more;
        EXPECT_EQ(head.framing.length, 5U);
    }
}

TEST(Head, Http10KnowsNoContinue) {
    Head head;
    ASSERT_TRUE(judge(request({"Host: x", "Content-Length: 5", "Expect: 100-continue"}, "", http_1_0), head));
    EXPECT_FALSE(head.expects_continue);
}

TEST(Head, NothingOfTheRequestBeforeIsLeft) {
    Head head;
    ASSERT_TRUE(judge(request({"Host: x", "Content-Length: 5", "A: \xe9"}, "", http_1_0), head));
    ASSERT_TRUE(judge(request({"Host: x", "Content-Length: 5"}), head));
    EXPECT_FALSE(head.is_http_1_0);
    EXPECT_FALSE(head.has_obs_text);
    EXPECT_TRUE(head.keep_alive);
}

TEST(Head, NothingIsLeftForWhatIsRefused) {
    for (const std::string next : {"GET / HTTP/1.1\r\nA: \x01\r\n\r\n", "\x80 / HTTP/1.1\r\n\r\n"}) {
        Head head;
        ASSERT_TRUE(judge(request({"Host: x", "Content-Length: 5"}), head));
        EXPECT_FALSE(read_head(next, head));
        EXPECT_EQ(head.method, "");
        EXPECT_EQ(head.path, "");
        EXPECT_TRUE(head.fields().empty());
        EXPECT_EQ(head.framing.kind, Framing::Kind::none);
    }
}

TEST(Head, ExpectationOfContinueIsKept) {
    Head head;
    ASSERT_TRUE(judge(request({"Host: x", "Content-Length: 5", "Expect: 100-Continue"}), head));
    EXPECT_TRUE(head.expects_continue);
}

TEST(Head, UnderscoresAreFineInNamesThatNobodyReads) {
    Head head;
    EXPECT_TRUE(judge(request({"Host: x", "Content-Length: 5", "my_own: 1"}), head));
}

TEST(Head, OnlyValueNeedsExactlyOne) {
    Head head;
    const std::string bytes = request({"Host: x", "Content-Length: 5", "A: 1", "B: 2", "b: 3"});
    ASSERT_TRUE(judge(bytes, head));
    EXPECT_EQ(only_value(head, "a"), "1");
    EXPECT_EQ(only_value(head, "b"), "");
    EXPECT_EQ(only_value(head, "c"), "");
}

/// As if Beast had delimited the body in another way than the fields do by our rules.
TEST(FieldMeaning, IsNotThatOfAnotherFraming) {
    using enum Framing::Kind;
    const auto said = [](const std::string& field, Framing::Kind kind) {
        Head head;
        EXPECT_TRUE(read_head(request({"Host: x", field}, ""), head));
        head.framing.kind = kind;
        const auto meaning = read_meaning(head);
        return meaning ? "taken" : row_of(meaning.error()).name;
    };
    EXPECT_EQ(said("Content-Length: 5", length), "taken");
    EXPECT_EQ(said("Content-Length: 5", chunked), "second_opinion");
    EXPECT_EQ(said("Content-Length: 5", none), "second_opinion");
    EXPECT_EQ(said("Transfer-Encoding: chunked", chunked), "taken");
    EXPECT_EQ(said("Transfer-Encoding: chunked", length), "second_opinion");
    EXPECT_EQ(said("Transfer-Encoding: chunked", none), "second_opinion");
    EXPECT_EQ(said("A: b", none), "taken");
    EXPECT_EQ(said("A: b", length), "second_opinion");
}

TEST(Admission, ChunkedNeedsTheSourcesLeave) {
    static const auto chunking = ingress::test_sources("chunked: true").front();
    Head head;
    const std::string bytes = request({"Host: x", "Transfer-Encoding: Chunked"}, "");
    ASSERT_TRUE(read_head(bytes, head));
    EXPECT_TRUE(admit(head, chunking.get()));
}

TEST(Admission, BodyLimitIsExact) {
    static const auto small = ingress::test_sources("max_body: 2KiB").front();
    const auto admitted = [&](int length) {
        Head head;
        const std::string bytes = request({"Host: x", "Content-Length: " + std::to_string(length)}, "");
        EXPECT_TRUE(read_head(bytes, head));
        return admit(head, small.get()).has_value();
    };
    EXPECT_TRUE(admitted(2047));
    EXPECT_TRUE(admitted(2048));
    EXPECT_FALSE(admitted(2049));
}

}  // namespace
}  // namespace sluice::gate
