#include <gtest/gtest.h>

#include "tests/unit/common/webhook/fixture.hpp"

namespace sluice::webhook::test {
namespace {

constexpr std::int64_t now = 1'763'750'000;

Refusal refusal(const std::string& header, bool explain, std::string_view body = "{}") {
    static const auto configured = stripe();
    Scratch scratch;
    const std::vector<HeaderField> fields{{"Stripe-Signature", header}};
    const auto result =
        verify(configured.only(), {"POST", "/", fields, body}, at_unix(now), scratch, explain);
    return result ? Refusal{} : result.error();
}

TEST(Refusal, ExplainsOnlyWhenAsked) {
    const std::string header = "t=" + std::to_string(now - 412) + ",v1=" + std::string(64, '0');
    EXPECT_EQ(refusal(header, true).sentence(),
              "Stripe-Signature: the timestamp is too old: 412 s old, at most 300 s are allowed");
    EXPECT_EQ(refusal(header, false).detail, "");
    EXPECT_EQ(refusal(header, false).sentence(), "Stripe-Signature: the timestamp is too old");
}

TEST(Refusal, NeverShowsWhatWasExpected) {
    const std::string expected = stripe_v1(secret, now, "{}");
    const std::string header = "t=" + std::to_string(now) + ",v1=" + std::string(64, '0');
    const auto refused = refusal(header, true);
    EXPECT_EQ(refused.check, Check::signature_mismatch);
    EXPECT_FALSE(refused.sentence().contains(expected));
    EXPECT_FALSE(refused.sentence().contains(secret));
    EXPECT_FALSE(refused.sentence().contains("0000"));
}

TEST(Refusal, CountsWhatWasFound) {
    const std::string t = "t=" + std::to_string(now);
    EXPECT_EQ(refusal("t=" + std::to_string(now + 301) + ",v1=x", true).detail,
              "301 s ahead, at most 300 s are allowed");
    EXPECT_EQ(refusal(std::string(1025, 'x'), true).detail, "1025 bytes, at most 1024 are allowed");
    EXPECT_EQ(refusal(t + "," + t, true).detail, "2 times");
    EXPECT_EQ(refusal(t + ",v1=,v1=,v1=,v1=,v1=,v1=,v1=,v1=,v1=", true).detail, "9, at most 8 are allowed");
    EXPECT_EQ(refusal(t + ",v1=x,v1=y", true).detail, "2 looked at");
    EXPECT_EQ(refusal(t + ",v1=" + std::string(64, '0'), true).detail, "1 of 1 keys are live and were tried");
    EXPECT_EQ(refusal("v1=x", true).detail, "");
}

TEST(Refusal, HasANameForEveryCheck) {
    std::vector<std::string_view> names;
    for (int i = 0; i <= static_cast<int>(Check::not_bound); ++i) {
        const auto name = name_of(static_cast<Check>(i));
        EXPECT_FALSE(name.empty());
        EXPECT_EQ(std::ranges::count(names, name), 0);
        names.push_back(name);
    }
    EXPECT_EQ(names.size(), 21U);
    EXPECT_EQ(name_of(Check::missing_header), "missing_header");
    EXPECT_EQ(name_of(Check::too_new), "too_new");
    EXPECT_EQ(name_of(Check::signature_mismatch), "signature_mismatch");
    EXPECT_EQ(name_of(Check::certificate), "certificate");
    EXPECT_EQ(name_of(Check::not_bound), "not_bound");
}

// Cheap checks come first: of several faults the earlier one is named.
TEST(Refusal, NamesTheCheapestFault) {
    const std::string stale = "t=1,t=2,v1=zz" + std::string(1024, ',');
    EXPECT_EQ(refusal(stale, false).check, Check::header_too_long);
    EXPECT_EQ(refusal("t=x,t=y,v1=zz", false).check, Check::repeated_timestamp);
    EXPECT_EQ(refusal("t=1,v1=zz", false).check, Check::too_old);
    EXPECT_EQ(refusal("t=1", false).check, Check::too_old);
}

}  // namespace
}  // namespace sluice::webhook::test
