#include "consumer/quarantine/read_again.hpp"

#include <gtest/gtest.h>

#include "consumer/command/execute/authenticity.hpp"
#include "tests/unit/consumer/quarantine/kept_requests.hpp"

namespace sluice::consumer::test {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

Pairs pairs_of(std::span<const record::HeaderView> headers) {
    Pairs pairs;
    for (const auto& one : headers) pairs.emplace_back(one.name, one.value);
    return pairs;
}

TEST(ReadAgain, MakesTheRecordThatTheIngressWouldHavePublished) {
    const Configured wrong = configured(recipe("", "/event_id"));
    const Configured mended = configured(recipe("", "/id"));
    ASSERT_FALSE(wrong.problems.any() || mended.problems.any()) << mended.problems.report();
    const Kept kept{wrong, body};
    ASSERT_FALSE(webhook::test::extracted(wrong.only(), body));

    webhook::JsonView view;
    auto published = webhook::extract(mended.only(), kept.request(), view).value();
    webhook::complete(published.headers, {received, "a", trace, ""});
    record::EncodedHeaders encoded;

    const auto events = kept.read(mended);
    ASSERT_TRUE(events);
    ASSERT_EQ(events->size(), 1U);
    const Record& record = events->front().record;
    EXPECT_EQ(record.key, published.ordering_key);
    EXPECT_EQ(record.value, body);
    EXPECT_EQ(record.at, (Coordinates{3, 17, 0}));
    EXPECT_EQ(pairs_of(record.headers), pairs_of(encoded.encode(published.headers)));
    EXPECT_TRUE(events->front().decoded);
    EXPECT_EQ(Authenticity{mended.sources}.check(record), Authentic::yes);
}

TEST(ReadAgain, FailsAsLongAsTheRecipeIsTheSame) {
    const Configured wrong = configured(recipe("", "/event_id"));
    EXPECT_EQ(Kept(wrong, body).read(wrong).error(), errc::missing_pointer);
}

TEST(ReadAgain, ReadsEveryEventOfADeliveryInItsOrder) {
    const Configured wrong = configured(recipe("    items: {at: /list, signed: together}\n", "/id"));
    const Configured mended = configured(recipe(together, "/id"));
    ASSERT_FALSE(wrong.problems.any() || mended.problems.any()) << mended.problems.report();
    const std::string delivery = R"({"events": [)" + body + R"(, {"id":"ev_2","type":"paid","order":"o1"}]})";
    const Kept kept{wrong, delivery};
    const auto events = kept.read(mended);
    ASSERT_TRUE(events);
    ASSERT_EQ(events->size(), 2U);
    for (std::uint32_t i = 0; i < 2; ++i) {
        const Item& event = (*events)[i];
        EXPECT_EQ(event.event.event_id, "ev_" + std::to_string(i + 1));
        EXPECT_EQ(event.event.item, i);
        EXPECT_EQ(event.event.original, crypto::sha256(delivery));
        EXPECT_EQ(Authenticity{mended.sources}.check(event.record), Authentic::unknown);
        EXPECT_EQ(Authenticity{mended.sources}.check_item(event.record, delivery), Authentic::yes);
        EXPECT_NE(Authenticity{mended.sources}.check_item(event.record, body), Authentic::yes);
    }
    EXPECT_EQ(events->front().record.value, body);
}

TEST(ReadAgain, LetsNoneOfADeliveryThroughWithoutTheOthers) {
    const Configured wrong = configured(recipe("    items: {at: /list, signed: together}\n", "/id"));
    const Kept kept{wrong, R"({"events": [)" + body + R"(, {"id":"ev_2"}]})"};
    EXPECT_EQ(kept.read(configured(recipe(together, "/id"))).error(), errc::missing_pointer);
}

TEST(ReadAgain, KnowsAnItemThatWasKeptAlone) {
    const Configured wrong = configured(recipe(together, "/event_id"));
    const Configured mended = configured(recipe(together, "/id"));
    Kept kept{wrong, body};
    publish::name_item(kept.kept(),
                       {.value = body,
                        .event = webhook::NotReadable{{errc::missing_pointer, "id: /id is missing"}},
                        .number = 4,
                        .original = crypto::sha256("all"),
                        .known_livemode = false});
    const auto events = kept.read(mended);
    ASSERT_TRUE(events);
    ASSERT_EQ(events->size(), 1U);
    EXPECT_EQ(events->front().event.item, 4U);
    EXPECT_EQ(events->front().event.original, crypto::sha256("all"));
    EXPECT_FALSE(events->front().event.livemode);
}

TEST(ReadAgain, HasTheParametersThatARecipeLooksAt) {
    const auto with = [](const std::string& id) {
        std::string text = recipe("    trust: none\n", id);
        const std::string plain = "order_by: [/order]";
        return text.replace(text.find(plain), plain.size(), "order_by: [{query: order}]");
    };
    const Configured wrong = configured(with("/event_id"));
    const Configured mended = configured(with("/id"));
    ASSERT_FALSE(mended.problems.any()) << mended.problems.report();
    const auto events = Kept{wrong, body, "/hook?order=o%207&secret=no"}.read(mended);
    ASSERT_TRUE(events);
    EXPECT_EQ(events->front().event.object, "o 7");
}

TEST(KeptRequest, IsOfTheSourceThatTookItOrOfItsPrincipal) {
    const Configured before = configured(recipe("", "/event_id"), "eu");
    const Kept kept{before, body};
    const Record record = kept.record();
    const auto request = kept_request_from(record.headers).value();
    EXPECT_EQ(request.reason, "missing_pointer");
    EXPECT_EQ(request.detail, "id: /event_id is missing");
    EXPECT_EQ(source_of(request, before.sources), &before.only());
    const Configured renamed = configured(recipe("", "/id"), "europe");
    EXPECT_EQ(source_of(request, renamed.sources), &renamed.only());
    const Configured foreign = configured(recipe("", "/id"), "us", "acct_us");
    EXPECT_EQ(source_of(request, foreign.sources), nullptr);
}

TEST(KeptRequest, IsNoRecordOfAnybodyElse) {
    const std::vector<record::HeaderView> nothing;
    EXPECT_FALSE(kept_request_from(nothing));
    const std::vector<record::HeaderView> undated{{"sluice-source", "eu"}, {"sluice-received-at", "soon"}};
    EXPECT_FALSE(kept_request_from(undated));
}

}  // namespace
}  // namespace sluice::consumer::test
