#include <gtest/gtest.h>

#include "common/webhook/recipe/program.hpp"
#include "consumer/apply/event.hpp"
#include "tests/unit/common/webhook/fixture.hpp"
#include "tests/unit/consumer/effects/configuration.hpp"

namespace sluice::consumer {
namespace {

/// An event as its record names source and account.
Item event_of(const std::string& source, const std::string& provider, const std::string& principal) {
    Item item;
    item.event.source = source;
    item.event.provider = provider;
    item.event.principal = principal;
    return item;
}

TEST(SourceOf, IsTheNamedOneElseAPeerElseOneOfTheProvider) {
    const webhook::SourceSet sources = effects::sources();
    const auto name_of_source = [&](const Item& item) {
        const webhook::Source* source = source_of(item, sources);
        return source == nullptr ? "none" : source->name;
    };
    EXPECT_EQ(name_of_source(event_of("stripe-eu-2", "stripe", "acct_eu")), "stripe-eu-2");
    EXPECT_EQ(name_of_source(event_of("renamed", "stripe", "acct_us")), "stripe-us");
    EXPECT_EQ(name_of_source(event_of("removed", "stripe", "acct_jp")), "stripe-eu");
    EXPECT_EQ(name_of_source(event_of("paypal", "stripe", "acct_us")), "stripe-us")
        << "the name is another account's by now";
    EXPECT_EQ(name_of_source(event_of("removed", "adyen", "acct_eu")), "none");
}

TEST(HasSourceOf, TakesProviderAndPrincipalTogether) {
    const webhook::SourceSet sources = effects::sources();
    EXPECT_TRUE(has_source_of(event_of("renamed", "stripe", "acct_us"), sources));
    EXPECT_FALSE(has_source_of(event_of("stripe-us", "stripe", "acct_jp"), sources)) << "a name says nothing";
    EXPECT_FALSE(has_source_of(event_of("paypal", "paypal", "acct_us"), sources));
}

TEST(HasOtherKeys, WhereTheRecordAndItsAccountHereDisagree) {
    const auto configured = webhook::test::stripe();
    const std::string ours = configured.only().program->keys_stamp;
    const auto differs = [&](std::string_view stamp, const std::string& principal = "acct_main") {
        Item item = event_of("eu", "stripe", principal);
        item.event.keys = stamp;
        return has_other_keys(item, configured.sources);
    };
    EXPECT_FALSE(differs(ours));
    EXPECT_FALSE(differs(ours + "0123456789abcdef")) << "its id stood behind all places of this file";
    EXPECT_TRUE(differs("0123456789abcdef"));
    EXPECT_FALSE(differs("0123456789abcdef", "acct_of_nobody")) << "nothing to compare it with";
    EXPECT_FALSE(has_other_keys(event_of("eu", "stripe", "acct_main"), configured.sources))
        << "of an older ingress";
}

TEST(ArePeers, TwoEndpointsOfOneAccount) {
    const webhook::SourceSet sources = effects::sources();
    EXPECT_TRUE(are_peers("stripe-eu", "stripe-eu-2", sources));
    EXPECT_TRUE(are_peers("stripe-eu-2", "stripe-eu", sources));
    EXPECT_FALSE(are_peers("stripe-eu", "stripe-eu", sources)) << "one endpoint";
    EXPECT_FALSE(are_peers("stripe-eu", "stripe-us", sources)) << "another account";
    EXPECT_FALSE(are_peers("stripe-eu", "paypal", sources)) << "an account of that name elsewhere";
    EXPECT_FALSE(are_peers("stripe-eu", "removed", sources) || are_peers("removed", "stripe-eu", sources));
}

}  // namespace
}  // namespace sluice::consumer
