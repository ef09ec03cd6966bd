#include "command/key/key_of.hpp"

#include <gtest/gtest.h>

#include "tests/unit/command/configuration.hpp"

namespace sluice::command {
namespace {

Definition keyed_by(std::initializer_list<const char*> fields) {
    Definition definition;
    definition.name = "charge-click";
    for (const auto* field : fields) definition.key.push_back(*webhook::Pointer::parse(field));
    return definition;
}

std::expected<std::string, std::string> key_in(const std::string& json) {
    webhook::JsonView body;
    EXPECT_TRUE(body.read(json));
    return key_of(keyed_by({"/merchant", "/click_id"}), body);
}

TEST(KeyOf, FieldsMakeOneKeyWhereverTheyStand) {
    const auto key = key_in(R"({"merchant":"m1","click_id":7})");
    EXPECT_EQ(key->size(), 64U);
    EXPECT_EQ(key, key_in(R"({ "click_id": 7, "price": 3, "merchant": "m1" })"));
    EXPECT_EQ(key, key_in(R"({"merchant":"\u006d1","click_id":7})")) << "escapes are no difference";
}

TEST(KeyOf, OtherFieldsMakeOtherKeys) {
    const auto key = key_in(R"({"merchant":"m1","click_id":7})");
    EXPECT_NE(key, key_in(R"({"merchant":"m1","click_id":"7"})")) << "a text is no number";
    EXPECT_NE(key, key_in(R"({"merchant":"m","click_id":17})"));
    EXPECT_NE(key_in(R"({"merchant":"a","click_id":"bc"})"), key_in(R"({"merchant":"ab","click_id":"c"})"));
    EXPECT_NE(key_in(R"({"merchant":"a","click_id":"b"})"), key_in(R"({"merchant":"b","click_id":"a"})"));
}

TEST(KeyOf, FieldsThatCannotBeToldMakeNone) {
    for (const auto* json : {R"({"merchant":"m1"})", R"({"merchant":"m1","click_id":null})",
                             R"({"merchant":"m1","click_id":1.0})", R"({"merchant":"m1","click_id":[1]})",
                             R"({"merchant":"","click_id":1})", R"({"merchant":"m1","click_id":true})",
                             R"({"merchant":"m1","click_id":1,"click_id":2})",
                             R"({"merchant":"m1","click_id":123456789012345678901234567890})"})
        EXPECT_FALSE(key_in(json)) << json;
    EXPECT_EQ(key_in(R"({"merchant":"m1","click_id":true})").error(),
              "the key is made of /click_id: it must be a text or a whole number");
}

crypto::Digest fingerprint_in(const Definition& definition, const std::string& json) {
    webhook::JsonView body;
    EXPECT_TRUE(body.read(json));
    return fingerprint_of(definition, json, body).value();
}

TEST(FingerprintOf, IsOfTheWholeBodyAndTheCommand) {
    auto definition = keyed_by({});
    const auto asked = fingerprint_in(definition, R"({"price":3})");
    EXPECT_EQ(asked, fingerprint_in(definition, R"({"price":3})"));
    EXPECT_NE(asked, fingerprint_in(definition, R"({"price": 3})"));
    definition.name = "refund-click";
    EXPECT_NE(asked, fingerprint_in(definition, R"({"price":3})"));
}

TEST(FingerprintOf, IsOfFieldsWhereTheFileNamesThem) {
    auto definition = keyed_by({});
    definition.fingerprint.push_back(*webhook::Pointer::parse("/price"));
    const auto asked = fingerprint_in(definition, R"({"price":3,"sent_at":1})");
    EXPECT_EQ(asked, fingerprint_in(definition, R"({"price": 3, "sent_at":2})"));
    EXPECT_NE(asked, fingerprint_in(definition, R"({"price":4,"sent_at":1})"));
    EXPECT_NE(fingerprint_in(definition, R"({})"), fingerprint_in(definition, R"({"price":""})"));
    webhook::JsonView twice;
    ASSERT_TRUE(twice.read(R"({"price":3,"price":4})"));
    EXPECT_FALSE(fingerprint_of(definition, "", twice));
}

TEST(DigestOf, IsOfCallerCommandAndKey) {
    const Key key{.command = "charge", .caller = "ads", .key = "1"};
    EXPECT_EQ(digest_of(key), digest_of(key));
    EXPECT_NE(digest_of(key), digest_of({.command = "refund", .caller = "ads", .key = "1"}));
    EXPECT_NE(digest_of(key), digest_of({.command = "charge", .caller = "shop", .key = "1"}));
    EXPECT_NE(digest_of(key), digest_of({.command = "charge", .caller = "ads", .key = "2"}));
    EXPECT_NE(digest_of({.command = "b", .caller = "a", .key = "c"}),
              digest_of({.command = "", .caller = "ab", .key = "c"}));
}

std::expected<std::optional<metering::Metered>, std::string> account_in(
    const std::string& json, const std::string& caller = "ads-team") {
    Definition definition;
    definition.name = "charge-click";
    definition.limit = webhook::AccountLimit{{*webhook::Pointer::parse("/merchant")}, {}};
    webhook::JsonView body;
    EXPECT_TRUE(body.read(json));
    return account_of(definition, caller, body);
}

TEST(KeyOf, AccountIsOfItsFieldsAndTheCaller) {
    const auto who = [](const std::string& json, const std::string& caller = "ads-team") {
        return account_in(json, caller).value()->who;
    };
    EXPECT_EQ(who(R"({"merchant":"m1","click_id":7})"), who(R"({"click_id":8,"merchant":"m1"})"));
    EXPECT_NE(who(R"({"merchant":"m1"})"), who(R"({"merchant":"m2"})"));
    EXPECT_NE(who(R"({"merchant":"m1"})"), who(R"({"merchant":"m1"})", "shop"));
    EXPECT_EQ(account_in("{}").error().substr(0, 34), "the limit is counted by /merchant:");
}

TEST(KeyOf, NoLimitCountsNobody) {
    webhook::JsonView body;
    EXPECT_TRUE(body.read("{}"));
    EXPECT_EQ(account_of(keyed_by({"/merchant"}), "ads-team", body).value(), std::nullopt);
}

}  // namespace
}  // namespace sluice::command
