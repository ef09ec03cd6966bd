#include "common/webhook/source_file/key_derivation.hpp"

#include <gtest/gtest.h>

#include "common/webhook/recipe/program.hpp"
#include "tests/unit/common/webhook/fixture.hpp"

namespace sluice::webhook::test {
namespace {

std::string made_of_only(const Configured& configured) {
    return keys_of(configured.sources).at(0).made_of;
}

// The texts of this file lie in databases. Other words for the same keys would stop every consumer of the
// next release: change a rule only together with the keys that it makes.

TEST(MadeOf, HasAWordingThatStays) {
    const auto configured = stripe();
    ASSERT_EQ(configured.problems.report(), "");
    EXPECT_EQ(made_of_only(configured), R"(id: "/id"
events: one
mode: "/livemode" else live
order: "/data/object/payment_intent" | "/data/object/id" | "/related_object/id"
day: "/created" unix rfc3339)");
    const auto keys = keys_of(configured.sources).at(0);
    EXPECT_EQ(keys.path, "/v1/webhooks/eu");
    EXPECT_EQ(keys.provider, "stripe");
    EXPECT_EQ(keys.principal, "acct_main");
}

constexpr const char* odd_recipe = R"(recipes:
  - name: odd
    provider: odd
    algorithm: hmac-sha256
    keys: {form: text}
    items: {at: /list, inside: /Item, signed: together}
    signature: {header: X-Odd, container: raw, encoding: hex}
    timestamp: none
    signed: [body]
    body: json
    extract:
      id: [{join: [/a, {pointer: "/b \" c", optional: true}]}, {sha256: body}, {sha256: /d}]
      type: {literal: odd}
      order_by: [{pointer: /number, integer: true}, {template: "/x/{/kind}/id", cut: plural}]
      time: {pointer: /at, forms: [unix]}
      livemode: {pointer: /live, of: delivery, is: "yes", absent: false}
    day: [{pointer: /day, forms: [unix-ms, rfc3339]}]
    digest: [body]
    answers:
      success: {status: 200}
      bad_signature: {status: 400}
    answer_within: 4s
sources:
  - {name: odd, recipe: odd, principal: odd, keys: [{id: a, value: {env: SLUICE_TEST_FIRST}}]}
)";

TEST(MadeOf, SaysEachKindOfPlaceInAWordingThatStays) {
    const Configured configured{odd_recipe};
    ASSERT_EQ(configured.problems.report(), "");
    EXPECT_EQ(made_of_only(configured), R"(id: "/a" + "/b \" c" optional | sha256 body | sha256 "/d"
events: "/list" inside "/Item"
mode: "/live" is "yes" else test of delivery
order: "/number" integer | template "/x/" "/kind" "/id" plural
day: "/day" unix_ms rfc3339)");
}

TEST(MadeOf, TellsAFieldOfTestEventsFromOneOfLiveEvents) {
    std::string recipe = odd_recipe;
    const std::string is = "is: \"yes\"";
    recipe.replace(recipe.find(is), is.size(), is + ", means: test");
    EXPECT_TRUE(made_of_only(Configured{recipe})
                    .contains("\nmode: \"/live\" is \"yes\" means test else test of delivery\n"));
}

TEST(KeysStamp, SaysEachPlaceOfTheIdWithAllBeforeIt) {
    const auto stamp_of = [](const std::string& ids) {
        std::string recipe = odd_recipe;
        const std::string at =
            "id: [{join: [/a, {pointer: \"/b \\\" c\", optional: true}]}, {sha256: body}, {sha256: /d}]";
        recipe.replace(recipe.find(at), at.size(), "id: " + ids);
        return Configured{recipe}.only().program->keys_stamp;
    };
    const std::string two = stamp_of("[/a, /b]");
    EXPECT_EQ(two.size(), 32U);
    EXPECT_EQ(two, stamp_of("/a") + two.substr(16));
    EXPECT_FALSE(record::stamps_agree(two, stamp_of("[/a, /c]")));
    EXPECT_FALSE(record::stamps_agree(two, stamp_of("[/b, /a]")));
    EXPECT_TRUE(record::stamps_agree(two, stamp_of("[/a, /b, /c]")));
    EXPECT_FALSE(record::stamps_agree(stamp_of("['/a\" | \"/x', /b]"), stamp_of("['/a\" | \"/x', /c]")))
        << "whatever a place is called";
}

TEST(MadeOf, IsTheSourcesOwnOrder) {
    EXPECT_TRUE(made_of_only(stripe("order_by: [/data/object/customer]"))
                    .contains("\norder: \"/data/object/customer\"\n"));
}

TEST(MadeOf, SaysNothingOfSecretsTolerancesAndDigests) {
    std::string other = odd_recipe;
    other.replace(other.find("digest: [body]"), 14, "digest: none  ");
    EXPECT_EQ(made_of_only(Configured{odd_recipe}), made_of_only(Configured{other}));
    EXPECT_EQ(made_of_only(stripe()),
              made_of_only(stripe("tolerance: 10s", "keys: [{id: b, value: {env: SLUICE_TEST_OTHER}}]")));
}

TEST(MadeOf, HeadersMayBeWrittenAsOneLikes) {
    std::string lower = odd_recipe;
    std::string upper = odd_recipe;
    const std::string place = "{sha256: body}";
    lower.replace(lower.find(place), place.size(), "{header: x-id}");
    upper.replace(upper.find(place), place.size(), "{header: X-ID}");
    const std::string signed_text = "signed: [body]";
    for (std::string* one : {&lower, &upper})
        one->replace(one->find(signed_text), signed_text.size(),
                     "signed: [{header: X-Id}, {literal: .}, body]");
    EXPECT_TRUE(made_of_only(Configured{lower}).contains("header \"x-id\""));
    EXPECT_EQ(made_of_only(Configured{lower}), made_of_only(Configured{upper}));
}

}  // namespace
}  // namespace sluice::webhook::test
