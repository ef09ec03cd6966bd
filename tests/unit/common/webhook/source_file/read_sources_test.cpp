#include <gtest/gtest.h>

#include "common/webhook/recipe/program.hpp"
#include "tests/unit/common/webhook/fixture.hpp"

namespace sluice::webhook::test {
namespace {

/// The second source of a list, or what is wrong with it.
std::string source(const std::string& more, const std::string& name = "us",
                   const std::string& key = "OTHER") {
    const std::string principal = more.contains("principal: ") ? "" : "    principal: " + name + "\n";
    return "  - name: " + name + "\n    recipe: stripe\n" + principal +
           "    keys: [{id: a, value: {env: SLUICE_TEST_" + key + "}}]\n" +
           (more.empty() ? "" : "    " + more + "\n");
}

TEST(ReadSources, FillsInWhatIsNotSaid) {
    const Configured configured("sources:\n" + source("", "eu", "FIRST"));
    ASSERT_EQ(configured.problems.report(), "");
    const auto& one = configured.only();
    EXPECT_EQ(one.name, "eu");
    EXPECT_EQ(one.provider, "stripe");
    EXPECT_EQ(one.recipe, "stripe");
    EXPECT_EQ(one.principal, "eu");
    EXPECT_EQ(one.path, "/v1/webhooks/eu");
    EXPECT_EQ(one.max_body, 512U * 1024);
    EXPECT_EQ(one.answer_within, Milliseconds{4000});
    EXPECT_FALSE(one.allow_chunked);
    EXPECT_EQ(one.answers.success.status, 200);
    EXPECT_EQ(one.answers.success.body, "");
    EXPECT_EQ(one.answers.bad_signature.status, 400);
    EXPECT_EQ(one.answers.bad_signature.content_type, "application/json");
    EXPECT_EQ(one.answers.too_large.status, 413);
    EXPECT_EQ(one.answers.overloaded.status, 503);
    EXPECT_EQ(one.answers.limited.status, 429);
    EXPECT_EQ(one.answers.disabled_after, std::chrono::days{9});
    EXPECT_FALSE(one.client_limit);
    EXPECT_TRUE(one.takes_from(*network::Address::parse("198.51.100.7")));
}

TEST(ReadSources, TakesWhatIsSaid) {
    const auto configured = stripe(
        "path: /hooks/a.b_c~d\n    max_body: 8MiB\n    answer_within: 900ms\n    chunked: true\n    with: "
        "{}");
    ASSERT_EQ(configured.problems.report(), "");
    EXPECT_EQ(configured.only().principal, "acct_main");
    EXPECT_EQ(configured.only().path, "/hooks/a.b_c~d");
    EXPECT_EQ(configured.only().max_body, 8U * 1024 * 1024);
    EXPECT_EQ(configured.only().answer_within, Milliseconds{900});
    EXPECT_TRUE(configured.only().allow_chunked);
}

TEST(ReadSources, TakesLimitsAndNetworks) {
    const auto configured =
        stripe("allow: [203.0.113.0/24, \"2001:db8::1\"]\n    limits: {client: {rate: 50/s, burst: 9}}");
    ASSERT_EQ(configured.problems.report(), "");
    EXPECT_EQ(configured.only().client_limit->burst, 9);
    for (const auto& [text, taken] : {std::pair{"203.0.113.9", true},
                                      {"203.0.114.9", false},
                                      {"2001:db8::1", true},
                                      {"2001:db8::2", false}})
        EXPECT_EQ(configured.only().takes_from(*network::Address::parse(text)), taken) << text;
}

TEST(ReadSources, CountsByAccountOnlyWhereNobodyCanChangeIt) {
    for (const auto& [recipe, more, why] : {std::tuple{"mercado-pago", "", "does not cover the body"},
                                            {"gocardless", "", "several events"},
                                            {"xendit", "", "does not cover the body"}}) {
        const Configured configured(std::string{"sources:\n  - name: shop\n    recipe: "} + recipe +
                                    "\n    principal: acct_main\n    " + one_key + more +
                                    "\n    limits: {account: {by: [/account], rate: 50/s}}\n");
        EXPECT_TRUE(configured.refuses(why)) << recipe << ": " << configured.problems.report();
    }
}

TEST(ReadSources, GivesNoLimitToAProviderThatNeverSendsAgain) {
    const Configured configured(
        "sources:\n  - name: hooks\n    recipe: github\n    principal: acct_main\n    " + one_key +
        "\n    limits: {client: {rate: 50/s}}\n");
    EXPECT_TRUE(configured.refuses("does not send again")) << configured.problems.report();
}

struct Wrong {
    std::string name;
    std::string line;      ///< of the source; line 6 of the file
    std::string sentence;  ///< part of it

    friend void PrintTo(const Wrong& wrong, std::ostream* out) { *out << wrong.line; }
};

class WrongSource : public testing::TestWithParam<Wrong> {};

TEST_P(WrongSource, IsRefusedWithItsLine) {
    const auto configured = stripe(GetParam().line);
    EXPECT_TRUE(configured.refuses(GetParam().sentence)) << configured.problems.report();
    EXPECT_TRUE(configured.refuses("sluice.yaml:6")) << configured.problems.report();
    EXPECT_TRUE(configured.sources.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Table, WrongSource,
    testing::Values(Wrong{"UnknownKey", "tolerence: 5s", "not a known key"},
                    Wrong{"WithIsClosed", "with: {url: x}", "not a known key"},
                    Wrong{"ToleranceZero", "tolerance: 0s", "tolerance"},
                    Wrong{"ToleranceUnderASecond", "tolerance: 999ms", "tolerance"},
                    Wrong{"ToleranceOverAnHour", "tolerance: 3601s", "tolerance"},
                    Wrong{"ToleranceOfFraction", "tolerance: 1500ms", "whole seconds"},
                    Wrong{"ToleranceOfAnotherWord", "tolerance: any", "tolerance"},
                    Wrong{"ToleranceWithoutUnit", "tolerance: 300", "tolerance"},
                    Wrong{"BodyTooLarge", "max_body: 9MiB", "max_body"},
                    Wrong{"BodyTooSmall", "max_body: 100", "max_body"},
                    Wrong{"AnswerTooSoon", "answer_within: 50ms", "answer_within"},
                    Wrong{"AnswerTooLate", "answer_within: 31s", "answer_within"},
                    Wrong{"ChunkedIsNoText", "chunked: maybe", "chunked"},
                    Wrong{"PathWithoutSlash", "path: hooks", "must begin with /"},
                    Wrong{"PathWithQuery", "path: /a?b", "must begin with /"},
                    Wrong{"PathWithPercent", "path: /a%20b", "must begin with /"},
                    Wrong{"PathWithEmptyPart", "path: /a//b", "must begin with /"},
                    Wrong{"PathWithDots", "path: /a/../b", "must begin with /"},
                    Wrong{"PathEndingInDots", "path: /a/..", "must begin with /"},
                    Wrong{"PathWithSpace", "path: /a b", "must begin with /"},
                    Wrong{"PointerWithoutSlash", "order_by: [data]", "JSON pointer"},
                    Wrong{"PointerWithTilde", "order_by: [/a~2]", "JSON pointer"},
                    Wrong{"PointerToAll", "order_by: ['']", "JSON pointer"},
                    Wrong{"AllowWithAName", "allow: [hooks.example.com]",
                          "allow must list addresses or networks"},
                    Wrong{"AllowNobody", "allow: []", "at least one network"},
                    Wrong{"LimitWithoutTime", "limits: {client: {rate: 50}}", "such as 50/s"},
                    Wrong{"AccountWithoutFields", "limits: {account: {rate: 50/s}}", "account.by is missing"},
                    Wrong{"LimitOfNobody", "limits: {clients: {rate: 50/s}}", "not a known key"},
                    Wrong{"SeventeenPointers",
                          "order_by: [/a,/b,/c,/d,/e,/f,/g,/h,/i,/j,/k,/l,/m,/n,/o,/p,/q]", "sixteen"}),
    [](const auto& one) { return one.param.name; });

TEST(ReadSources, RefusesNamesThatCannotBePartsOfKeys) {
    for (const std::string name : {"EU", "a b", "a/b", "\xC3\xA9", "a_b"}) {
        const Configured configured("sources:\n" + source("", "'" + name + "'"));
        EXPECT_TRUE(configured.refuses("sluice.yaml:2")) << name;
    }
    EXPECT_TRUE(Configured("sources:\n" + source("", std::string(64, 'a'))).refuses("1 to 63"));
    EXPECT_FALSE(Configured("sources:\n" + source("", std::string(63, 'a'))).problems.any());
    EXPECT_TRUE(Configured("sources:\n" + source("principal: a/b")).refuses("principal must have"));
    EXPECT_TRUE(Configured("sources:\n  - recipe: stripe\n    " + one_key).refuses("name"));
}

TEST(ReadSources, WantsAPrincipalAndSaysWhichOneKeepsTheKeys) {
    const Configured configured("sources:\n" + source("principal: one", "eu", "FIRST") +
                                "  - name: us\n    recipe: stripe\n    " + one_key + "\n");
    EXPECT_TRUE(configured.refuses("sluice.yaml:6: principal is missing")) << configured.problems.report();
    EXPECT_TRUE(configured.refuses("`principal: us` keeps the keys of its events"));
    EXPECT_EQ(configured.problems.count(), 1U) << configured.problems.report();
    EXPECT_TRUE(Configured("sources:\n" + source("principal: ~")).refuses("principal is missing"));
    EXPECT_TRUE(Configured("sources:\n" + source("principal: ''")).refuses("principal"));
}

TEST(ReadSources, RefusesAnUnknownRecipe) {
    const Configured configured("sources:\n  - name: eu\n    recipe: strip\n    principal: eu\n    " +
                                one_key + "\n    tolerance: 5s\n");
    EXPECT_TRUE(configured.refuses("there is no recipe \"strip\"; the recipes are: adyen"));
    EXPECT_TRUE(configured.refuses("sluice.yaml:3"));
    EXPECT_EQ(configured.problems.errors().size(), 1U) << configured.problems.report();
}

TEST(ReadSources, WantsSourcesAsAList) {
    EXPECT_TRUE(Configured("recipes: []").refuses("sources is empty"));
    EXPECT_TRUE(Configured("sources: []").refuses("sources is empty"));
    EXPECT_TRUE(Configured("sources: {name: eu}").refuses("list of mappings"));
    EXPECT_TRUE(Configured("sources: [eu]").refuses("mapping"));
}

TEST(ReadSources, BoundsTheirNumber) {
    std::string yaml = "sources: [";
    for (int i = 0; i < 1001; ++i) yaml += "{}, ";
    const Configured configured(yaml + "]");
    EXPECT_TRUE(configured.refuses("at most 1000 sources"));
    EXPECT_EQ(configured.problems.count(), 1U);
}

/// A source of its own beside the webhook's: line 2 and on are eu, from line 6 its list.
Configured with_list(const std::string& more = "", bool with_keys = true) {
    return Configured("sources:\n" + source("principal: acct_main", "eu", "FIRST") +
                          "  - name: eu-list\n    recipe: stripe\n    principal: acct_main\n"
                          "    poll: {key: {file: /nowhere}, since: 30d}\n" +
                          (more.empty() ? "" : "    " + more + "\n"),
                      with_keys);
}

TEST(PolledSource, HasItsOwnNameAndNoRequests) {
    for (const bool with_keys : {true, false}) {
        const auto configured = with_list("max_body: 1MiB", with_keys);
        ASSERT_EQ(configured.problems.report(), "");
        EXPECT_FALSE(configured.sources.at(0)->polled);
        const Source& list = *configured.sources.at(1);
        EXPECT_TRUE(list.polled);
        EXPECT_EQ(list.name, "eu-list");
        EXPECT_EQ(list.path, "poll:eu-list") << "no request's target begins so";
        EXPECT_EQ(list.trust, Trust::api);
        EXPECT_TRUE(list.program->keys.empty());
        EXPECT_EQ(list.max_body, 1024U * 1024);
        EXPECT_EQ(list.program->keys_stamp, configured.sources.at(0)->program->keys_stamp);
    }
}

TEST(PolledSource, GivesEventsOneByOneWhateverTheWebhookBrings) {
    const Configured configured("sources: [{name: list, recipe: gocardless, principal: a, poll: {}}]\n");
    ASSERT_EQ(configured.problems.report(), "");
    EXPECT_FALSE(configured.only().has_items);
    EXPECT_TRUE(configured.only().program->extraction.items) << "its keys say how the webhook's are made";
    const Configured adyen(
        "sources: [{name: list, recipe: adyen, principal: a, poll: {}, with: {merchant_account: m, "
        "environment: test, capture: manual}}]\n");
    ASSERT_EQ(adyen.problems.report(), "");
    EXPECT_TRUE(adyen.only().signed_fields.empty()) << "what the provider's list says is all believed";
}

TEST(PolledSource, TakesNothingThatOnlyRequestsNeed) {
    for (const std::string line :
         {"path: /v1/list", "keys: [{id: a, value: {env: SLUICE_TEST_FIRST}}]", "tolerance: 5m",
          "chunked: false", "answer_within: 2s", "allow: [192.0.2.1]", "limits: {client: {rate: 50/s}}"}) {
        const auto configured = with_list(line);
        const std::string key = line.substr(0, line.find(':'));
        EXPECT_TRUE(configured.refuses("sluice.yaml:10")) << configured.problems.report();
        EXPECT_TRUE(configured.refuses("source \"eu-list\" has poll, so it takes no " + key + ":"))
            << configured.problems.report();
        EXPECT_EQ(configured.problems.count(), 1U) << configured.problems.report();
    }
}

TEST(PolledSource, NeedsANameOfItsOwnAndTheAccountsKeys) {
    const Configured same("sources:\n" + source("principal: acct_main", "eu", "FIRST") +
                          "  - {name: eu, recipe: stripe, principal: acct_main, poll: {}}\n");
    EXPECT_TRUE(same.refuses("sluice.yaml:6: there is already a source \"eu\"")) << same.problems.report();
    const auto other = with_list("order_by: [/data/object/customer]");
    EXPECT_TRUE(other.refuses("the keys of their events must be made in the same way"))
        << other.problems.report();
}

TEST(PolledSource, NeedsAMapping) {
    for (const std::string value : {"true", "off", "[key]"}) {
        const Configured configured("sources:\n  - {name: a, recipe: stripe, principal: a, poll: " + value +
                                    "}\n");
        EXPECT_TRUE(configured.refuses("sluice.yaml:2: poll must be a mapping")) << value;
    }
    const Configured nothing("sources: [{name: a, recipe: stripe, principal: a, poll: ~}]\n");
    EXPECT_TRUE(nothing.refuses("the source has no keys")) << "a value that is missing is no poll";
}

TEST(ReadKeys, RefusesWhatCannotBeAKey) {
    const auto keys = [](const std::string& text) { return stripe("", "keys: " + text); };
    EXPECT_TRUE(keys("[]").refuses("no keys"));
    EXPECT_TRUE(keys("[{value: {env: SLUICE_TEST_FIRST}}]").refuses("id"));
    EXPECT_TRUE(keys("[{id: a}]").refuses("value is missing"));
    EXPECT_TRUE(keys("[{id: a, value: whsec_x}]").refuses("sluice.yaml:5"));
    EXPECT_FALSE(keys("[{id: a, value: whsec_x}]").refuses("whsec_x"));
    EXPECT_TRUE(keys("[{id: a, value: {env: SLUICE_TEST_NOT_SET}}]").refuses("SLUICE_TEST_NOT_SET"));
    EXPECT_TRUE(keys("[{id: a, value: {file: /nowhere/at/all}}]").refuses("/nowhere/at/all"));
    EXPECT_TRUE(keys("[{id: 'a b', value: {env: SLUICE_TEST_FIRST}}]").refuses("key's id"));
    EXPECT_TRUE(keys("[{id: a, value: {env: SLUICE_TEST_FIRST}}, {id: a, value: {env: SLUICE_TEST_OTHER}}]")
                    .refuses("this id"));
    EXPECT_TRUE(keys("[{id: a, value: {env: SLUICE_TEST_FIRST}, not_after: soon}]").refuses("not_after"));
    EXPECT_TRUE(keys("[{id: a, value: {env: SLUICE_TEST_FIRST}, not_before: 2026-01-02T00:00:00Z, not_after: "
                     "2026-01-01T00:00:00Z}]")
                    .refuses("must not be before not_before"));
    EXPECT_TRUE(
        keys("[{id: a, value: {env: SLUICE_TEST_FIRST}, algorithm: none}]").refuses("not a known key"));
}

TEST(ReadKeys, BoundsTheirNumber) {
    std::string keys = "keys:\n";
    for (int i = 0; i < 17; ++i)
        keys += "      - {id: k" + std::to_string(i) + ", value: {env: SLUICE_TEST_FIRST}}\n";
    EXPECT_TRUE(stripe("", keys).refuses("at most 16"));
}

TEST(ReadKeys, WarnsOfSlips) {
    ::setenv("SLUICE_TEST_SLIP", "sk_live_1", 1);
    ::setenv("SLUICE_TEST_SPACE", "whsec_1 ", 1);
    EXPECT_FALSE(stripe().warns("whsec_"));
    EXPECT_TRUE(
        stripe("", "keys: [{id: a, value: {env: SLUICE_TEST_SLIP}}]").warns("does not begin with whsec_"));
    EXPECT_TRUE(stripe("", "keys: [{id: a, value: {env: SLUICE_TEST_SPACE}}]").warns("white space"));
    EXPECT_FALSE(stripe("", "keys: [{id: a, value: {env: SLUICE_TEST_SLIP}}]").problems.any());
}

TEST(SourceRules, WantNamesAndPathsOnce) {
    const Configured twice("sources:\n" + source("", "eu", "FIRST") + source("path: /x", "eu"));
    EXPECT_TRUE(twice.refuses("sluice.yaml:6"));
    EXPECT_TRUE(twice.refuses("there is already a source \"eu\" (sluice.yaml:2)"));
    const Configured path("sources:\n" + source("path: /v1/webhooks/us", "eu", "FIRST") + source(""));
    EXPECT_TRUE(path.refuses("already has the path \"/v1/webhooks/us\""));
}

TEST(SourceRules, LetSourcesShareAPrincipalThatAgree) {
    const Configured same("sources:\n" + source("principal: main", "eu", "FIRST") +
                          source("principal: main"));
    EXPECT_FALSE(same.problems.any()) << same.problems.report();
    const Configured spelled("sources:\n" + source("principal: main", "eu", "FIRST") +
                             source("principal: main\n    order_by: [/data/object/payment_intent, "
                                    "/data/object/id, /related_object/id]"));
    EXPECT_FALSE(spelled.problems.any());
    const Configured order("sources:\n" + source("principal: main", "eu", "FIRST") +
                           source("principal: main\n    order_by: [/data/object/id]"));
    EXPECT_TRUE(
        order.refuses(R"(shares principal "main" with source "eu" (sluice.yaml:2, )"
                      "path /v1/webhooks/eu), so the keys of their events must be made in the same way"))
        << order.problems.report();
    EXPECT_TRUE(order.refuses(R"(here "/data/object/id"): give both the same `order_by`)"));
    const Configured apart("sources:\n" + source("principal: one", "eu", "FIRST") +
                           source("principal: two\n    order_by: [/data/object/id]"));
    EXPECT_FALSE(apart.problems.any());
}

std::string adyen(const std::string& name, const std::string& principal, const std::string& environment) {
    return "  - {name: " + name + ", recipe: adyen, principal: " + principal +
           ", with: {merchant_account: Acme, environment: " + environment +
           "}, keys: [{id: a, value: {env: SLUICE_TEST_HEX}}]}\n";
}

TEST(SourceRules, WantKeysOfOneAccountMadeAlikeWhateverMakesThem) {
    ::setenv("SLUICE_TEST_HEX", std::string(64, 'a').c_str(), 1);
    const Configured modes("sources:\n" + adyen("real", "Acme", "live") + adyen("trial", "Acme", "test"));
    EXPECT_TRUE(modes.refuses("sluice.yaml:3: source \"trial\" (path /v1/webhooks/trial) shares principal"))
        << modes.problems.report();
    EXPECT_TRUE(modes.refuses("mode: live, here test")) << modes.problems.report();
    EXPECT_FALSE(Configured("sources:\n" + adyen("real", "Acme", "live") + adyen("more", "Acme", "live"))
                     .problems.any());
    EXPECT_FALSE(
        Configured("sources:\n" + adyen("real", "Acme", "live") + adyen("trial", "Acme-test", "test"))
            .problems.any());
}

TEST(SourceRules, WantOneRecipeForOneAccount) {
    const auto shopify = [](const std::string& recipe, const std::string& principal) {
        return "  - {name: " + recipe + ", recipe: " + recipe + ", principal: " + principal + ", " + one_key +
               "}\n";
    };
    const Configured both("sources:\n" + shopify("shopify", "shop") + shopify("shopify-events", "shop"));
    EXPECT_TRUE(both.refuses("so both need the same recipe, or different principals"))
        << both.problems.report();
    EXPECT_EQ(both.problems.count(), 1U) << both.problems.report();
    EXPECT_FALSE(
        Configured("sources:\n" + shopify("shopify", "shop") + shopify("shopify-events", "shop-events"))
            .problems.any());
}

TEST(SourceRules, WarnOfSharedKeys) {
    const Configured shared("sources:\n" + source("", "eu", "FIRST") + source("", "us", "FIRST"));
    EXPECT_TRUE(shared.warns("source \"us\" shares key material with source \"eu\""));
    EXPECT_FALSE(shared.problems.any());
    EXPECT_FALSE(Configured("sources:\n" + source("", "eu", "FIRST") + source("")).warns("shares"));
}

}  // namespace
}  // namespace sluice::webhook::test
