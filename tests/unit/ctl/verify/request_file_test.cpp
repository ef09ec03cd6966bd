#include "ctl/verify/request_file.hpp"

#include <gtest/gtest.h>

namespace sluice::ctl {

TEST(RequestFile, KeepsTheBodyByteForByte) {
    const std::string body{"{\r\n\r\n \"a\": 1}\n\0z", 16};
    const std::string text = "POST /x?y=1 HTTP/1.1\r\nHost: a\r\nX-Sig:\t v=1 \r\n\r\n" + body;
    const auto file = parse_request_file(text);
    ASSERT_TRUE(file);
    EXPECT_EQ(file->request.method, "POST");
    EXPECT_EQ(file->request.target, "/x?y=1");
    ASSERT_EQ(file->request.headers.size(), 2U);
    EXPECT_EQ(file->request.headers[1].name, "X-Sig");
    EXPECT_EQ(file->request.headers[1].value, "v=1");
    EXPECT_EQ(file->request.body, body);
    EXPECT_TRUE(file->is_crlf);
}

TEST(RequestFile, KeepsEveryHeaderThatIsThereTwice) {
    const auto file = parse_request_file("POST / HTTP/1.1\r\nA: 1\r\na: 2\r\n\r\n");
    ASSERT_TRUE(file);
    EXPECT_EQ(file->request.headers.size(), 2U);
}

TEST(RequestFile, ReadsAHeadThatAnEditorSaved) {
    const auto file = parse_request_file("POST / HTTP/1.1\nA: 1\n\nbody\r\n\r\n");
    ASSERT_TRUE(file);
    EXPECT_FALSE(file->is_crlf);
    EXPECT_EQ(file->request.headers[0].value, "1");
    EXPECT_EQ(file->request.body, "body\r\n\r\n");
}

TEST(RequestFile, SaysWhyThereIsNoRequest) {
    EXPECT_EQ(parse_request_file("").error(), "the head does not end with an empty line (CRLFCRLF)");
    EXPECT_EQ(parse_request_file("POST / HTTP/1.1\r\nA: 1\r\n").error(),
              "the head does not end with an empty line (CRLFCRLF)");
    EXPECT_EQ(parse_request_file("hello\r\n\r\n").error(), "the first line is not a request line");
    EXPECT_EQ(parse_request_file("POST /\r\n\r\n").error(), "the first line is not a request line");
    EXPECT_EQ(parse_request_file("POST / HTTP/1.1\r\nno colon\r\n\r\n").error(),
              "a line of the head is not a header");
    EXPECT_EQ(parse_request_file("POST / HTTP/1.1\r\nA: 1\r\n b: 2\r\n\r\n").error(),
              "a line of the head is not a header");
}

TEST(RequestFile, MovesWithItsHeaders) {
    auto first = parse_request_file("POST / HTTP/1.1\r\nA: 1\r\n\r\n");
    const RequestFile second = std::move(*first);
    EXPECT_EQ(second.request.headers[0].name, "A");
}

}  // namespace sluice::ctl
