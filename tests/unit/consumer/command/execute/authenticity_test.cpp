#include "consumer/command/execute/authenticity.hpp"

#include <gtest/gtest.h>

#include "tests/unit/common/webhook/fixture.hpp"
#include "tests/unit/consumer/command/execute/stored_records.hpp"

namespace sluice::consumer::test {
namespace {

using webhook::test::at_unix;
using webhook::test::Configured;
using webhook::test::Delivery;
using webhook::test::secret;

constexpr std::int64_t years_ago = 1'500'000'000;  // 2017-07-14
const WallTime then = at_unix(years_ago, 123'456);

const std::string event =
    R"({"id":"evt_1","object":"event","type":"payment_intent.succeeded","created":1500000000,"livemode":true,)"
    R"("data":{"object":{"id":"pi_1","amount":500}}})";

Configured source_of_eu(const std::string& recipe, const std::string& keys = webhook::test::one_key,
                        const std::string& name = "eu", const std::string& principal = "acct_main") {
    return Configured("sources: [{name: " + name + ", recipe: " + recipe + ", principal: " + principal +
                      ", " + keys + "}]\n");
}

Stored record_of(const Configured& configured, const Delivery& delivery, WallTime received_at = then) {
    const auto fields = delivery.fields();
    auto records = records_of(configured.only(), {"POST", "/", fields, delivery.body}, received_at);
    EXPECT_EQ(records.size(), 1U);
    return records.at(0);
}

Authentic check(const Configured& configured, const Stored& record, Originals* originals = nullptr) {
    EXPECT_FALSE(configured.problems.any()) << configured.problems.report();
    const Item item = record.item();
    return Authenticity{configured.sources, originals}.check(item.record);
}

class StripeRecord : public testing::Test {
protected:
    Configured configured_ = source_of_eu("stripe");
    Stored record_ = record_of(
        configured_, {{{"Stripe-Signature", webhook::test::stripe_header(secret, years_ago, event)}}, event});
};

const std::string other_id = "keys: [{id: b, value: {env: SLUICE_TEST_OTHER}}]";
const std::string both_keys =
    "keys: [{id: b, value: {env: SLUICE_TEST_OTHER}}, {id: a, value: {env: SLUICE_TEST_FIRST}}]";

TEST_F(StripeRecord, IsAuthenticYearsLater) {
    EXPECT_EQ(check(configured_, record_), Authentic::yes);
    EXPECT_EQ(check(source_of_eu("stripe", both_keys), record_), Authentic::yes);
}

TEST_F(StripeRecord, WithAnotherBodyIsNot) {
    record_.body.replace(record_.body.find("500}"), 3, "900");
    EXPECT_EQ(check(configured_, record_), Authentic::no);
    record_.body.clear();
    EXPECT_EQ(check(configured_, record_), Authentic::no);
}

TEST_F(StripeRecord, WithAnotherTimeIsNot) {
    const std::string signature = record_.header("http-stripe-signature");
    record_.header("http-stripe-signature").replace(2, 10, "1500000001");
    EXPECT_EQ(check(configured_, record_), Authentic::no);
    record_.header("http-stripe-signature").replace(2, 10, "1795258000");
    EXPECT_EQ(check(configured_, record_), Authentic::no);
    record_.header("http-stripe-signature") = signature;
    record_.header("sluice-received-at") = "2026-11-22T12:00:00.000000Z";
    EXPECT_EQ(check(configured_, record_), Authentic::no) << "judged at another time than it was sent";
}

TEST_F(StripeRecord, WithoutItsSignatureIsNot) {
    std::erase_if(record_.headers, [](const auto& header) { return header.first.starts_with("http-"); });
    EXPECT_EQ(check(configured_, record_), Authentic::no);
}

TEST_F(StripeRecord, WithTwoSignatureHeadersIsNot) {
    record_.headers.emplace_back("http-Stripe-Signature", record_.header("http-stripe-signature"));
    EXPECT_EQ(check(configured_, record_), Authentic::no);
}

TEST_F(StripeRecord, WhoseKeyIsGoneIsUnknown) {
    EXPECT_EQ(check(source_of_eu("stripe", other_id), record_), Authentic::unknown);
    record_.body += ' ';
    EXPECT_EQ(check(source_of_eu("stripe", other_id), record_), Authentic::unknown);
}

TEST_F(StripeRecord, WhoseKeyHasAnotherIdNowIsAuthentic) {
    EXPECT_EQ(check(source_of_eu("stripe", "keys: [{id: new, value: {env: SLUICE_TEST_FIRST}}]"), record_),
              Authentic::yes);
}

TEST_F(StripeRecord, WhoseKeyWasInForceThenIsAuthentic) {
    const auto ending = [](const std::string& last) {
        return source_of_eu("stripe",
                            "keys: [{id: a, value: {env: SLUICE_TEST_FIRST}, not_after: " + last + "}]");
    };
    EXPECT_EQ(check(ending("2018-01-01T00:00:00Z"), record_), Authentic::yes);
    EXPECT_EQ(check(ending("2017-01-01T00:00:00Z"), record_), Authentic::unknown);
}

TEST_F(StripeRecord, IsKnownByItsPrincipalUnderAnotherName) {
    const auto renamed = source_of_eu("stripe", webhook::test::one_key, "west");
    EXPECT_EQ(check(renamed, record_), Authentic::yes);
    record_.body += ' ';
    EXPECT_EQ(check(renamed, record_), Authentic::unknown) << "its own key may be gone with its source";
}

TEST_F(StripeRecord, OfAnotherPrincipalOrProviderIsUnknown) {
    EXPECT_EQ(check(source_of_eu("stripe", webhook::test::one_key, "eu", "acct_other"), record_),
              Authentic::unknown);
    EXPECT_EQ(check(source_of_eu("stripe", webhook::test::one_key, "west", "acct_other"), record_),
              Authentic::unknown);
    EXPECT_EQ(check(source_of_eu("github"), record_), Authentic::unknown);
}

TEST_F(StripeRecord, ThatCannotBeReadIsUnknown) {
    record_.header("sluice-received-at") = "long ago";
    EXPECT_EQ(check(configured_, record_), Authentic::unknown);
    record_.headers.clear();
    EXPECT_EQ(check(configured_, record_), Authentic::unknown);
}

TEST_F(StripeRecord, ThatSaysItIsOneOfSeveralIsUnknown) {
    record_.header("sluice-item") = "0";
    EXPECT_EQ(check(configured_, record_), Authentic::unknown);
}

// Keys are checked on the hot path with them; here nobody may be able to ask for nothing else.
TEST_F(StripeRecord, UnderSourcesWithoutKeysIsUnknown) {
    const Configured keyless{"sources: [{name: eu, recipe: stripe, principal: acct_main}]\n", false};
    EXPECT_EQ(check(keyless, record_), Authentic::unknown);
}

// What was read from a list has no signature: nobody can show that it is genuine, nor that it is forged.
class PolledRecord : public testing::Test {
protected:
    static Configured both(const std::string& recipe, const std::string& list_name = "list") {
        return Configured("sources: [{name: eu, recipe: " + recipe + ", principal: acct_main, " +
                          webhook::test::one_key + "}, {name: " + list_name + ", recipe: " + recipe +
                          ", principal: acct_main, poll: {}}]\n");
    }
    static Stored polled(const Configured& configured, const std::string& body) {
        auto read = webhook::test::extracted(*configured.sources.at(1), body);
        EXPECT_TRUE(read);
        return stored(std::move(read->headers), body, "", then);
    }
};

TEST_F(PolledRecord, IsUnknown) {
    const Configured configured = both("stripe");
    Stored record = polled(configured, event);
    EXPECT_EQ(record.header("sluice-trust"), "api");
    EXPECT_EQ(check(configured, record), Authentic::unknown);
    record.body += ' ';
    EXPECT_EQ(check(configured, record), Authentic::unknown);
    EXPECT_EQ(check(both("stripe", "renamed"), record), Authentic::unknown);
    record.header("sluice-source") = "eu";
    EXPECT_EQ(check(configured, record), Authentic::unknown) << "no key's id is empty";
}

TEST_F(PolledRecord, OfADeliveryWithSeveralIsUnknown) {
    const std::string one =
        R"({"id":"EV1","created_at":"2017-07-14T02:40:00.000Z","resource_type":"payments",)"
        R"("action":"confirmed","links":{"payment":"PM1"}})";
    const Configured configured = both("gocardless");
    Shelf shelf;
    shelf.keep(one);
    EXPECT_EQ(check(configured, polled(configured, one), &shelf), Authentic::unknown);
}

TEST(GithubRecord, IsJudgedByItsBody) {
    const auto configured = source_of_eu("github");
    const std::string body = R"({"action":"opened","repository":{"node_id":"R_1"}})";
    Stored record =
        record_of(configured, {{{"X-Hub-Signature-256", "sha256=" + webhook::test::hmac_hex(secret, body)},
                                {"X-GitHub-Delivery", "d-1"},
                                {"X-GitHub-Event", "issues"}},
                               body});
    EXPECT_EQ(check(configured, record), Authentic::yes);
    record.header("sluice-received-at") = "2001-01-01T00:00:00.000000Z";
    EXPECT_EQ(check(configured, record), Authentic::yes) << "no time is signed";
    record.body.replace(record.body.find("R_1"), 3, "R_2");
    EXPECT_EQ(check(configured, record), Authentic::no);
    EXPECT_EQ(check(source_of_eu("github", other_id), record), Authentic::unknown);
}

// Anybody may have said it, but it is still what was said then.
TEST(XenditRecord, HasTheDigestThatItCameWith) {
    const auto configured = source_of_eu("xendit");
    Stored record = record_of(configured, {{{"x-callback-token", secret}, {"webhook-id", "w-1"}},
                                           R"({"event":"payment.succeeded","data":{"id":"p","amount":5}})"});
    EXPECT_EQ(record.header("sluice-trust"), "none");
    EXPECT_EQ(check(configured, record), Authentic::yes);
    record.body.replace(record.body.find("5}"), 1, "9");
    EXPECT_EQ(check(configured, record), Authentic::no);
}

class ItemOfGocardless : public testing::Test {
protected:
    ItemOfGocardless() {
        shelf_.keep(body_);
        const Delivery delivery{{{"Webhook-Signature", webhook::test::hmac_hex(secret, body_)}}, body_};
        const auto fields = delivery.fields();
        records_ = records_of(configured_.only(), {"POST", "/", fields, delivery.body}, then);
    }

    const std::string body_ =
        R"({"events":[{"id":"EV1","resource_type":"payments","action":"paid","links":{"payment":"PM1"},)"
        R"("created_at":"2017-07-14T02:40:00.000Z"}, {"id":"EV2","resource_type":"payments",)"
        R"("action":"failed","links":{"payment":"PM2"},"created_at":"2017-07-14T02:40:00.000Z"}]})";
    Configured configured_ = source_of_eu("gocardless");
    Shelf shelf_;
    std::vector<Stored> records_;
};

TEST_F(ItemOfGocardless, IsPartOfWhatWasSigned) {
    ASSERT_EQ(records_.size(), 2U);
    for (const Stored& record : records_) {
        EXPECT_EQ(check(configured_, record, &shelf_), Authentic::yes);
        EXPECT_EQ(check(configured_, record), Authentic::unknown) << "nowhere to look for the whole";
    }
}

TEST_F(ItemOfGocardless, OrIsNot) {
    Stored changed = records_.at(1);
    changed.body.replace(changed.body.find("failed"), 6, "paid_o");
    EXPECT_EQ(check(configured_, changed, &shelf_), Authentic::no);
    Stored another = records_.at(1);
    another.header("sluice-item") = "0";
    EXPECT_EQ(check(configured_, another, &shelf_), Authentic::no);
    another.header("sluice-item") = "2";
    EXPECT_EQ(check(configured_, another, &shelf_), Authentic::no);
}

TEST_F(ItemOfGocardless, OfAnotherDeliveryIsNot) {
    const std::string forged = R"({"events":[{"id":"EV9","resource_type":"payments","action":"paid"}]})";
    shelf_.keep(forged);
    Stored record = records_.at(0);
    record.header("sluice-original") = crypto::to_hex(crypto::sha256(forged));
    EXPECT_EQ(check(configured_, record, &shelf_), Authentic::no);
    record.header("sluice-original") = std::string(64, '0');
    EXPECT_EQ(check(configured_, record, &shelf_), Authentic::unknown) << "kept no more";
}

}  // namespace
}  // namespace sluice::consumer::test
