#include "command/http/callers.hpp"

#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/unit/command/http/running_commands.hpp"

namespace sluice::command {
namespace {

// Made with: printf 'req_1.1790000000.POST /v1/commands/charge\n"k1"\n{"amount":5}' | openssl dgst -sha256
// -hmac 0123456789abcdef0123456789abcdef -binary | base64
constexpr std::string_view vector = "v1,cFo/0JU+/nZKR9FsCfrHIsWRGZIqKBexacx9E1pgyNk=";
constexpr WallTime signed_at{std::chrono::seconds{1'790'000'000}};

std::optional<std::string> principal(std::string_view method, std::string_view target, std::string_view key,
                                     std::string_view body, std::string_view caller = "ads",
                                     WallTime now = signed_at) {
    const Callers callers{callers_of(one_caller)};
    webhook::Scratch scratch;
    const std::vector<webhook::HeaderField> fields{
        {"webhook-id", "req_1"}, {"webhook-timestamp", "1790000000"}, {"webhook-signature", vector}};
    const std::string text = signed_prefix(method, target, key) + std::string{body};
    const auto* found = callers.authenticate({caller, nullptr}, {method, target, fields, text}, now, scratch);
    return found == nullptr ? std::nullopt : std::optional{found->principal};
}

TEST(Callers, VectorOfTheDocumentation) {
    EXPECT_EQ(principal("POST", "/v1/commands/charge", "\"k1\"", R"({"amount":5})"), "ads-team");
}

TEST(Callers, SignatureBindsAllThatIsAsked) {
    const std::string body = R"({"amount":5})";
    EXPECT_FALSE(principal("GET", "/v1/commands/charge", "\"k1\"", body));
    EXPECT_FALSE(principal("POST", "/v1/commands/refund", "\"k1\"", body));
    EXPECT_FALSE(principal("POST", "/v1/commands/charge", "\"k2\"", body)) << "sent again under another key";
    EXPECT_FALSE(principal("POST", "/v1/commands/charge", "", body));
    EXPECT_FALSE(principal("POST", "/v1/commands/charge", "\"k1\"", R"({"amount":6})"));
}

TEST(Callers, SignatureIsOneCallersAndOfItsTime) {
    const std::string body = R"({"amount":5})";
    EXPECT_FALSE(principal("POST", "/v1/commands/charge", "\"k1\"", body, "others"));
    EXPECT_FALSE(principal("POST", "/v1/commands/charge", "\"k1\"", body, ""));
    const auto at = [&](std::chrono::seconds later) {
        return principal("POST", "/v1/commands/charge", "\"k1\"", body, "ads", signed_at + later);
    };
    EXPECT_TRUE(at(std::chrono::seconds{300}));
    EXPECT_FALSE(at(std::chrono::seconds{301}));
}

std::string problem_with(const std::string& text) {
    try {
        (void)callers_of(text);
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return "none";
}

std::string caller(const std::string& name, const std::string& more,
                   const std::string& recipe = "standard-webhooks") {
    return "  - {name: " + name + ", principal: p, recipe: " + recipe +
           ", keys: [{id: k1, value: {env: SLUICE_UNIT_CALLER_KEY}}]" + more + "}\n";
}

TEST(Callers, MustBeAbleToSignAllOfARequest) {
    EXPECT_EQ(problem_with(caller("ads", "")), "none");
    EXPECT_EQ(problem_with(caller("ads", ", tolerance: 1m")), "none");
    EXPECT_TRUE(problem_with(caller("ads", "", "stripe")).contains("standard-webhooks"));
    EXPECT_TRUE(problem_with(caller("ads", ", tolerance: none")).contains("tolerance"));
    EXPECT_EQ(problem_with(caller("ads", ", limit: {rate: 50/s, burst: 100}")), "none");
    EXPECT_TRUE(problem_with(caller("ads", ", limit: {rate: 50}")).contains("such as 50/s"));
    EXPECT_TRUE(problem_with(caller("ads", ", path: /x")).contains("a caller has"));
    EXPECT_TRUE(problem_with("").contains("who may send commands"));
}

TEST(Callers, PrincipalFitsTheMessagesThatCommandsSend) {
    const auto with_principal = [](std::size_t length) {
        const std::string entry = caller("ads", "");
        return std::string{entry}.replace(entry.find(": p,"), 4, ": " + std::string(length, 'p') + ",");
    };
    EXPECT_EQ(problem_with(with_principal(64)), "none");
    EXPECT_TRUE(problem_with(with_principal(65)).contains("at most 64 characters"));
}

TEST(Callers, AreDifferent) {
    EXPECT_TRUE(problem_with(caller("ads", "") + caller("ads", "")).contains("already a caller"));
    EXPECT_TRUE(problem_with(caller("ads", "") + caller("shop", "")).contains("shares a key"));
}

const connection::PeerCertificate of_shop{
    .subject = "CN=shop,O=Example", .dns = {"shop.internal"}, .uris = {}, .ends = {}};
const std::string shop = "  - {name: shop, principal: shop-team, certificate: {dns: shop.internal}}\n";

/// Of a request that nobody signed.
std::string certified(const std::string& list, std::string_view name,
                      const connection::PeerCertificate* certificate) {
    const Callers callers{callers_of(list)};
    webhook::Scratch scratch;
    const auto* found = callers.authenticate({name, certificate}, {"GET", "/", {}, ""}, signed_at, scratch);
    return found == nullptr ? "nobody" : found->name;
}

TEST(Callers, CertificateIsACaller) {
    for (const std::string& list : {shop, shop + one_caller, one_caller + shop}) {
        EXPECT_EQ(certified(list, "", &of_shop), "shop");
        EXPECT_EQ(certified(list, "shop", &of_shop), "shop");
        EXPECT_EQ(certified(list, "shop", nullptr), "nobody");
        EXPECT_EQ(certified(list, "", nullptr), "nobody");
        EXPECT_EQ(certified(list, "ads", &of_shop), "nobody") << "who says that it is another must sign";
        const connection::PeerCertificate other{.subject = "CN=x", .dns = {}, .uris = {}, .ends = {}};
        EXPECT_EQ(certified(list, "shop", &other), "nobody");
        EXPECT_EQ(certified(list, "", &other), "nobody");
    }
}

TEST(Callers, CertificateOfTwoCallersMustSayWhich) {
    const std::string both =
        shop + "  - {name: till, principal: till-team, certificate: {subject: 'CN=shop,O=Example'}}\n";
    EXPECT_EQ(certified(both, "", &of_shop), "nobody");
    EXPECT_EQ(certified(both, "till", &of_shop), "till");
}

TEST(Callers, CertificateHasOneNameOfOneCaller) {
    const auto with = [](const std::string& certificate) {
        return problem_with("  - {name: shop, principal: p, certificate: " + certificate + "}\n");
    };
    EXPECT_EQ(with("{dns: shop.internal}"), "none");
    EXPECT_TRUE(with("{}").contains("one of subject, dns and uri"));
    EXPECT_TRUE(with("{dns: shop, uri: 'spiffe://x/shop'}").contains("one of subject, dns and uri"));
    EXPECT_TRUE(with("{dns: '*.internal'}").contains("cannot have *"));
    EXPECT_TRUE(problem_with(shop + "  - {name: till, principal: p, certificate: {dns: shop.internal}}\n")
                    .contains("has the certificate of"));
    EXPECT_TRUE(problem_with("  - {name: shop, principal: p, certificate: {dns: x}, tolerance: 5m}\n")
                    .contains("either recipe"));
}

}  // namespace
}  // namespace sluice::command
