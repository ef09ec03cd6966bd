#include "ctl/paypal/holding.hpp"

#include "tests/unit/ctl/paypal/certificate_fixture.hpp"

namespace sluice::ctl {
namespace {

using Holdings = CertificateTest;

TEST_F(Holdings, SayWhatIsTrustedAndWhyTheRestIsNot) {
    hold("a", pem("paypal_direct"));
    hold("b", pem("paypal_expired"));
    hold("c", "half a file");
    file("README", "not looked at");
    const auto current = trust();
    const auto holdings = holdings_of(current, unreadable_, now());
    ASSERT_EQ(holdings.size(), 3U);
    std::map<std::string, std::string> why;
    for (const auto& one : holdings) why[one.file] = one.why;
    EXPECT_EQ(why[webhook::CertificateFolder::name_for("a")], "");
    EXPECT_EQ(why[webhook::CertificateFolder::name_for("b")], "certificate has expired");
    EXPECT_EQ(why[webhook::CertificateFolder::name_for("c")], "contains no certificates");
    const Json json = to_json(holdings, now());
    EXPECT_EQ(std::ranges::count_if(json, [](const Json& row) { return row["trusted"] == true; }), 1);
    EXPECT_TRUE(to_people(holdings, now()).contains("no: certificate has expired"));
}

TEST_F(Holdings, EndWithTheFirstOfTheirChain) {
    hold("a", pem("paypal_leaf") + pem("paypal_old_intermediate"));
    const auto current = trust();
    const WallTime earlier{std::chrono::seconds{1'750'000'000}};  // 2025, when all of the chain was valid
    const auto holdings = holdings_of(current, unreadable_, earlier);
    ASSERT_EQ(holdings.size(), 1U);
    EXPECT_EQ(holdings[0].why, "");
    EXPECT_EQ(to_json(holdings, earlier)[0]["not_after"], "2026-01-01T00:00:00Z");
}

}  // namespace
}  // namespace sluice::ctl
