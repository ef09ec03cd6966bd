#include "poller/fetch/answer.hpp"

#include <gtest/gtest.h>

#include "common/time_text.hpp"

namespace sluice::poller {
namespace {

using namespace std::chrono_literals;

AnswerHead head_of(std::initializer_list<std::string_view> lines) {
    HeadReader reader;
    for (const auto line : lines) reader.take(line);
    return reader.head();
}

constexpr std::string_view date = "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n";

TEST(AnswerHead, SaysStatusAndTime) {
    const AnswerHead head =
        head_of({"HTTP/1.1 200 OK\r\n", date, "Content-Type: application/json\r\n", "\r\n"});
    EXPECT_EQ(head.status, 200);
    EXPECT_EQ(head.date, from_rfc3339("1994-11-06T08:49:37Z"));
    EXPECT_FALSE(head.retry_after);
}

TEST(AnswerHead, NamesAreReadInAnyCaseAndValuesWithoutBlanks) {
    const AnswerHead head = head_of({"HTTP/1.1 429 Too Many Requests\r\n", "RETRY-AFTER:\t 7 \r\n"});
    EXPECT_EQ(head.retry_after, 7s);
}

TEST(AnswerHead, TimesAsDatesCountFromDate) {
    const AnswerHead head =
        head_of({"HTTP/1.1 429 \r\n", "Retry-After: Sun, 06 Nov 1994 08:50:00 GMT\r\n", date});
    EXPECT_EQ(head.retry_after, 23s);
    const auto over = head_of({"HTTP/1.1 429 \r\n", "Retry-After: Sun, 06 Nov 1994 08:49:00 GMT\r\n", date});
    EXPECT_EQ(over.retry_after, 0s) << "it is over";
    EXPECT_FALSE(
        head_of({"HTTP/1.1 429 \r\n", "Retry-After: Sun, 06 Nov 1994 08:50:00 GMT\r\n"}).retry_after);
}

TEST(AnswerHead, NobodyWaitsForMoreThanADay) {
    EXPECT_EQ(head_of({"HTTP/1.1 429 \r\n", "Retry-After: 9223372036854775807\r\n"}).retry_after, 24h);
    const auto far = head_of({"HTTP/1.1 429 \r\n", date, "Retry-After: Fri, 31 Dec 9999 23:59:59 GMT\r\n"});
    EXPECT_EQ(far.retry_after, 24h);
}

TEST(AnswerHead, WhatIsNoSuchThingSaysNothing) {
    for (const auto* value : {"", "soon", "-1", "1.5", "7 s", "+7", "99999999999999999999"}) {
        const std::string text{value};
        const AnswerHead head = head_of({"HTTP/1.1 429 \r\n", "Retry-After: " + text, "Date: " + text});
        EXPECT_FALSE(head.retry_after || head.date) << value;
    }
    EXPECT_EQ(head_of({}).status, 0);
    EXPECT_EQ(head_of({"HTTP/1.1"}).status, 0);
    EXPECT_EQ(head_of({"HTTP/1.1 abc"}).status, 0);
    EXPECT_EQ(head_of({"no colon", ":", "Date"}).status, 0);
}

TEST(AnswerHead, AStatusLineBeginsAnew) {
    const AnswerHead head =
        head_of({"HTTP/1.1 100 Continue\r\n", "Retry-After: 7\r\n", "\r\n", "HTTP/1.1 200 OK\r\n"});
    EXPECT_EQ(head.status, 200);
    EXPECT_FALSE(head.retry_after);
}

TEST(HttpDate, IsReadWholeOrNotAtAll) {
    EXPECT_EQ(http_date("Thu, 29 Feb 2024 23:59:60 GMT"), from_rfc3339("2024-03-01T00:00:00Z"));
    for (const auto* text :
         {"Thu, 30 Feb 2024 00:00:00 GMT", "Thu, 29 Feb 2024 24:00:00 GMT", "Thu, 29 Feb 2024 00:60:00 GMT",
          "Thu, 29 Foo 2024 00:00:00 GMT", "Thu, 29 Feb 2024 00:00:00 UTC", "Thu, 29 Feb 2024 00:00:00 GMT ",
          "29 Feb 2024 00:00:00 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Thu, -9 Feb 2024 00:00:00 GMT", ""})
        EXPECT_FALSE(http_date(text)) << text;
}

}  // namespace
}  // namespace sluice::poller
