#include "ingress/publish/kept_request.hpp"

#include <gtest/gtest.h>

#include <map>

#include "common/crypto/digest.hpp"
#include "common/crypto/encoding.hpp"
#include "common/error.hpp"
#include "tests/unit/ingress/support/test_sources.hpp"

namespace sluice::publish {
namespace {

TEST(KeptRequest, SaysEnoughToVerifyAndReadItAgain) {
    const auto source = ingress::test_sources().front();
    const std::vector<webhook::HeaderField> fields{{"Host", "x"},
                                                   {"STRIPE-signature", "t=1,v1=00"},
                                                   {"Content-Type", "application/json"},
                                                   {"Authorization", "hidden"}};
    const webhook::Request request{"POST", "/", fields, "no json"};
    const WallTime received{std::chrono::seconds{1'790'000'000}};
    const auto record = quarantine_record(*source, request, "k1", received, "00-trace",
                                          {errc::duplicate_key, "type: /type stands twice"});
    EXPECT_EQ(record.key, crypto::to_hex(crypto::sha256("no json")));
    const std::map<std::string, std::string> headers{record.headers.begin(), record.headers.end()};
    EXPECT_EQ(headers,
              (std::map<std::string, std::string>{{"sluice-source", "stripe-eu"},
                                                  {"sluice-provider", "stripe"},
                                                  {"sluice-principal", "acct_main"},
                                                  {"sluice-received-at", "2026-09-21T14:13:20.000000Z"},
                                                  {"sluice-key", "k1"},
                                                  {"sluice-quarantine-reason", "duplicate_key"},
                                                  {"sluice-quarantine-detail", "type: /type stands twice"},
                                                  {"traceparent", "00-trace"},
                                                  {"content-type", "application/json"},
                                                  {"http-stripe-signature", "t=1,v1=00"}}));
}

TEST(QuarantineReason, IsOneOfAFew) {
    EXPECT_EQ(quarantine_reason(errc::unreadable_body), "unreadable_body");
    EXPECT_EQ(quarantine_reason(errc::missing_pointer), "missing_pointer");
    EXPECT_EQ(quarantine_reason(errc::out_of_range), "out_of_range");
    EXPECT_EQ(quarantine_reason(errc::timed_out), "unreadable_body");
}

}  // namespace
}  // namespace sluice::publish
