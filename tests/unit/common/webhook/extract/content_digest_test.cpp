#include "common/webhook/extract/content_digest.hpp"

#include <gtest/gtest.h>

#include "common/error.hpp"
#include "tests/unit/common/webhook/fixture.hpp"

namespace sluice::webhook::test {
namespace {

crypto::Digest digest(std::string_view body) {
    static const auto configured = stripe();
    const auto event = extracted(configured.only(), body);
    EXPECT_TRUE(event) << body;
    return event ? event->headers.content_digest : crypto::Digest{};
}

crypto::Digest over(std::initializer_list<std::string_view> parts) {
    crypto::PartsDigest digest;
    digest.begin();
    for (const auto part : parts) digest.part(part);
    return digest.finish();
}

const std::string first =
    R"({"id":"evt_1","type":"t","pending_webhooks":2,"data":{"object":{"id":"pi_1","amount":100,"r":1.10}}})";

TEST(ContentDigest, StaysOverRedeliveries) {
    const auto expected = digest(first);
    EXPECT_EQ(
        digest(
            R"({"id":"evt_1","type":"t","pending_webhooks":1,"data":{"object":{"id":"pi_1","amount":100,"r":1.10}}})"),
        expected);
    EXPECT_EQ(
        digest(
            R"({"type":"t","data":{"object":{"id":"pi_1","amount":100,"r":1.10}},"request":null,"id":"evt_1"})"),
        expected);
    EXPECT_EQ(digest("\n{ \"id\" : \"evt_1\",\t\"type\":\r\n\"t\", \"data\" : { \"object\" : {\"id\": "
                     "\"pi_1\",  \"amount\": 100 , \"r\" : 1.10 } } } "),
              expected);
    EXPECT_EQ(digest(R"({"id":"evt_2","type":"t","data":{"object":{"id":"pi_1","amount":100,"r":1.10}}})"),
              expected);
}

TEST(ContentDigest, MovesWithEveryByteOfTheContent) {
    const auto expected = digest(first);
    for (
        const auto* body :
        {R"({"id":"evt_1","type":"t","data":{"object":{"id":"pi_1","amount":101,"r":1.10}}})",
         R"({"id":"evt_1","type":"u","data":{"object":{"id":"pi_1","amount":100,"r":1.10}}})",
         R"({"id":"evt_1","type":"t","data":{"object":{"id":"pi_1","amount":100,"r":1.1}}})",
         R"({"id":"evt_1","type":"t","data":{"object":{"id":"pi_1","amount":1e2,"r":1.10}}})",
         R"({"id":"evt_1","type":"t","data":{"object":{"amount":100,"id":"pi_1","r":1.10}}})",
         R"({"id":"evt_1","type":"t","data":{"object":{"id":"pi_1 ","amount":100,"r":1.10}}})",
         R"({"id":"evt_1","type":"t","data":{"object":{"id":"pi_1","amount":100,"r":1.10},"previous_attributes":{}}})"}) {
        EXPECT_NE(digest(body), expected) << body;
    }
}

TEST(ContentDigest, NamesEachPartAndItsLength) {
    EXPECT_EQ(digest(R"({"id":"e","type":"t","data":{ "a" : 1 }})"),
              over({"/type", "\"t\"", "/data", R"({"a":1})"}));
    EXPECT_EQ(digest(R"({"id":"e","type":"t","related_object":{"id":"x"}})"),
              over({"/type", "\"t\"", "/related_object", R"({"id":"x"})"}));
    EXPECT_EQ(digest(R"({"id":"e","type":"t"})"), over({"id", "e"}));
}

// Same bytes in another place are another content.
TEST(ContentDigest, TellsSnapshotFromThin) {
    EXPECT_NE(digest(R"({"id":"e","type":"t","data":{"id":"x"}})"),
              digest(R"({"id":"e","type":"t","related_object":{"id":"x"}})"));
}

TEST(ContentDigest, TakesTheFirstAlternativeThatIsWhollyThere) {
    const auto by_reference = over({"/type", "\"t\"", "/related_object", R"({"id":"x"})"});
    EXPECT_EQ(digest(R"({"id":"e","type":"t","related_object":{"id":"x"},"data":{"a":1}})"), by_reference);
    const auto by_data = over({"/type", "\"t\"", "/data", R"({"a":1})"});
    EXPECT_EQ(digest(R"({"id":"e","type":"t","related_object":null,"data":{"a":1}})"), by_data);
    EXPECT_EQ(digest(R"({"id":"e","type":"t","related_object":null})"), over({"id", "e"}));
    EXPECT_EQ(digest(R"({"id":"e","type":"t","data":{}})"), over({"/type", "\"t\"", "/data", "{}"}));
}

TEST(ContentDigest, CoversRepeatedKeysInsideAPartAsTheyStand) {
    EXPECT_NE(digest(R"({"id":"e","type":"t","data":{"x":1,"x":2}})"),
              digest(R"({"id":"e","type":"t","data":{"x":2,"x":1}})"));
}

TEST(ContentDigest, WithoutAnyPartIsOverTheIdAlone) {
    JsonView view;
    ASSERT_TRUE(view.read("{}"));
    EXPECT_EQ(content_digest({}, "evt_1", view), over({"id", "evt_1"}));
    const std::vector<DigestParts> alternatives{{Pointer::parse("/a").value()}};
    EXPECT_EQ(content_digest(alternatives, "evt_1", view), over({"id", "evt_1"}));
    ASSERT_TRUE(view.read(R"({"a":1,"a":1})"));
    EXPECT_EQ(content_digest(alternatives, "evt_1", view).error(), errc::duplicate_key);
}

}  // namespace
}  // namespace sluice::webhook::test
