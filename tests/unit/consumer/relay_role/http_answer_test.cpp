#include "consumer/relay_role/http_answer.hpp"

#include <gtest/gtest.h>

namespace sluice::consumer {
namespace {

using How = Sent::How;

TEST(HttpAnswer, IsJudgedByItsStatus) {
    for (const int status : {200, 201, 204, 299}) EXPECT_EQ(judged(status, "").how, How::taken) << status;
    for (const int status : {408, 425, 429, 500, 502, 503, 599})
        EXPECT_EQ(judged(status, "").how, How::later) << status;
    for (const int status : {400, 409, 410, 413, 422})
        EXPECT_EQ(judged(status, "").how, How::refused) << status;
    for (const int status : {100, 301, 302, 307, 401, 403, 404, 405})
        EXPECT_EQ(judged(status, "").how, How::later) << status << ": the file is wrong, not the message";
}

TEST(HttpAnswer, IsHeardWhereItAsksForTime) {
    EXPECT_EQ(judged(429, "120").at_least_in, std::chrono::seconds{120});
    EXPECT_EQ(judged(503, "999999999").at_least_in, std::chrono::hours{1});
    EXPECT_EQ(judged(503, "-5").at_least_in, Milliseconds{0});
    EXPECT_EQ(judged(503, "Fri, 27 Nov 2026 18:00:00 GMT").at_least_in, Milliseconds{0});
}

}  // namespace
}  // namespace sluice::consumer
