#include "command/hot/hot_record.hpp"

#include <gtest/gtest.h>

#include "common/crypto/digest.hpp"

namespace sluice::command {
namespace {

using namespace std::chrono_literals;

Request charge() {
    return {.key = {.command = "charge", .caller = "ads", .key = "k 1"},
            .fingerprint = crypto::sha256("body"),
            .body = R"({"price":1})",
            .traceparent = "00-11111111111111111111111111111111-2222222222222222-01"};
}

const WallTime taken_at{1'790'000'000'123'456us};

TEST(HotRecord, IsReadAsItWasWritten) {
    const Request sent = charge();
    const OutgoingCommand outgoing{sent, "m1", taken_at};
    EXPECT_EQ(outgoing.account(), "m1");
    const auto read = request_in(outgoing.headers(), sent.body);
    ASSERT_TRUE(read) << read.error();
    EXPECT_EQ(read->key, sent.key);
    EXPECT_EQ(read->fingerprint, sent.fingerprint);
    EXPECT_EQ(read->body, sent.body);
    EXPECT_EQ(read->traceparent, sent.traceparent);
    EXPECT_EQ(read->accepted_at, taken_at);
}

TEST(HotRecord, ATraceIsNotNeeded) {
    Request sent = charge();
    sent.traceparent.clear();
    EXPECT_EQ(request_in(OutgoingCommand{sent, "m1", taken_at}.headers(), "")->traceparent, "");
}

TEST(HotRecord, AllElseIs) {
    const Request sent = charge();
    const OutgoingCommand outgoing{sent, "m1", taken_at};
    for (std::size_t missing = 0; missing < 5; ++missing) {
        std::vector<record::HeaderView> headers{outgoing.headers().begin(), outgoing.headers().end()};
        const auto name = headers[missing].name;
        headers[missing].value = "";
        const auto read = request_in(headers, sent.body);
        ASSERT_FALSE(read) << name;
        EXPECT_TRUE(read.error().contains(name)) << read.error();
    }
}

}  // namespace
}  // namespace sluice::command
