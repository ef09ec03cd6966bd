#include "common/webhook/extract/unread.hpp"

#include <gtest/gtest.h>

#include "common/error.hpp"
#include "common/printable.hpp"
#include "common/webhook/extract/items.hpp"
#include "tests/unit/common/webhook/fixture.hpp"

namespace sluice::webhook::test {
namespace {

struct Shape {
    std::string id = "/data/id";
    std::string order_by = "[]";
    std::string livemode = "true";
    std::string time = "{pointer: /time, forms: [unix]}";
    std::string day = "none";
    std::string body = "json";
    std::string more{};  ///< further lines
};

std::string recipe(const Shape& shape) {
    return R"(recipes:
  - name: acme
    provider: acme
    algorithm: hmac-sha256
    keys: {form: text}
    signature: {header: X-Signature, container: raw, encoding: hex}
    timestamp: none
    signed: [body]
    trust: none
    body: )" +
           shape.body + "\n    extract: {id: " + shape.id +
           ", type: [/type, /kind], order_by: " + shape.order_by + ", livemode: " + shape.livemode +
           ", time: " + shape.time + "}\n    day: " + shape.day + "\n" + shape.more +
           "    digest: [[/type, /data], none]\n";
}

Configured source(const std::string& text) {
    return Configured(text + "sources: [{name: eu, recipe: acme, principal: acct, " + one_key + "}]\n");
}

/// What is said of a body that cannot be read; empty where it can.
std::string why(const Shape& shape, std::string_view body) {
    const Configured configured = source(recipe(shape));
    EXPECT_FALSE(configured.problems.any()) << configured.problems.report();
    const auto read = extracted(configured.only(), body);
    return read ? std::string{} : read.error().why;
}

std::string body_of(const std::string& id, const std::string& more = "") {
    return R"({"type": "t", "data": {"id": )" + id + "}" + more + "}";
}

}  // namespace

TEST(Unread, NamesTheFactAndThePlaceWhereItIsMissing) {
    EXPECT_EQ(why({}, body_of("\"e\"")), "");
    EXPECT_EQ(why({}, R"({"type": "t"})"), "id: /data/id is missing");
    EXPECT_EQ(why({}, R"({"data": {"id": "e"}})"), "type: /type or /kind is missing");
    EXPECT_EQ(why({.id = "{join: [/data/id, /data/at]}"}, body_of("\"e\"")), "id: /data/at is missing");
    EXPECT_EQ(why({.id = "{header: X-Id}"}, body_of("\"e\"")), "id: header X-Id is missing");
}

TEST(Unread, NamesWhatStandsTwice) {
    EXPECT_EQ(why({}, body_of(R"("a", "id": "b")")), "id: /data/id stands twice");
    EXPECT_EQ(why({}, body_of("\"e\"", R"(, "type": "u")")), "type: /type stands twice");
    const Shape ordered{.order_by = "[/none, /order]"};
    EXPECT_EQ(why(ordered, body_of("\"e\"", R"(, "order": "a", "order": "b")")),
              "order_by: /order stands twice");
    EXPECT_EQ(why({}, R"({"type": "t", "data": {"id": "e"}, "kind": 1, "kind": 2})"), "")
        << "nobody reads it";
}

TEST(Unread, SaysWhichTypeStandsThereInsteadOfText) {
    EXPECT_EQ(why({}, body_of("7")), "id: /data/id is a number, not text");
    EXPECT_EQ(why({}, body_of("null")), "id: /data/id is null");
    EXPECT_EQ(why({}, body_of("[]")), "id: /data/id is a list, not text");
    EXPECT_EQ(why({.id = "{pointer: /data/id, integer: true}"}, body_of("true")),
              "id: /data/id is true or false, not text or a whole number");
    EXPECT_EQ(why({.id = "{pointer: /data/id, integer: true}"}, body_of("1.5")),
              "id: /data/id is no whole number of 64 bits");
    EXPECT_EQ(why({}, body_of(R"("\ud800")")), "id: /data/id is no text that can be read");
}

TEST(Unread, SaysWhatIsWrongWithTextAndNeverRepeatsIt) {
    EXPECT_EQ(why({}, body_of("\"\"")), "id: /data/id is empty");
    EXPECT_EQ(why({}, body_of('"' + std::string(256, 'x') + '"')), "id: /data/id has more than 255 bytes");
    EXPECT_EQ(why({}, body_of(R"("4111\n1111")")),
              "id: /data/id has other characters than those of printable ASCII");
    const Shape ordered{.order_by = "[/order]"};
    EXPECT_EQ(why(ordered, body_of("\"e\"", R"(, "order": "a\tb")")),
              "order_by: /order has a control character");
}

TEST(Unread, NamesTimesLivemodeAndDigest) {
    const Shape timed{.time = "[{pointer: /none, forms: [unix]}, {pointer: /at, forms: [unix]}]"};
    EXPECT_EQ(why(timed, body_of("\"e\"", R"(, "at": 1, "at": 2)")), "time: /at stands twice");
    const Shape live{.livemode = "{pointer: /live, is: \"yes\", absent: true}"};
    EXPECT_EQ(why(live, body_of("\"e\"", R"(, "live": false)")),
              "livemode: /live is true or false, not text");
    EXPECT_EQ(why(live, body_of("\"e\"", R"(, "live": "\ud800")")),
              "livemode: /live is no text that can be read");
    const Shape plain{.livemode = "{pointer: /live, absent: true}"};
    EXPECT_EQ(why(plain, body_of("\"e\"", R"(, "live": "no")")),
              "livemode: /live is text, not true or false");
    EXPECT_EQ(why(plain, body_of("\"e\"", R"(, "live": true, "live": false)")),
              "livemode: /live stands twice");
    const std::string twice = R"({"kind": "k", "type": "t", "data": {"id": "e"}, "data": {"id": "e"}})";
    EXPECT_EQ(why({.id = "/kind"}, twice), "digest: /data stands twice");
}

TEST(Unread, NamesTheDay) {
    const auto said = [](const std::string& at) {
        return why({.day = "{pointer: /at, forms: [unix]}"}, body_of("\"e\"", ", \"at\": " + at));
    };
    EXPECT_EQ(said("1790000000"), "");
    EXPECT_EQ(said("\"soon\""), "day: /at is no time of a form that the recipe takes");
    EXPECT_EQ(said("-1"), "day: /at is a time before 1970 or after 9999");
}

TEST(Unread, SaysOfABodyWhatFormItLacks) {
    EXPECT_EQ(why({}, "hello"), "body: it is no JSON");
    EXPECT_EQ(why({.body = "form"}, "a=%zz"), "body: it is no form, or one that can be read in two ways");
}

TEST(Unread, NamesWhatIsWrongWithADeliveryOfSeveral) {
    const Configured several =
        source(recipe({.id = "/id", .more = "    items: {at: /list, signed: together}\n"}));
    ASSERT_FALSE(several.problems.any()) << several.problems.report();
    const auto read = [&](std::string_view body) {
        JsonView whole;
        JsonView element;
        const auto items = extract_items(several.only(), {"POST", "/", {}, body}, whole, element);
        if (!items) return items.error().why;
        return items->front().event ? std::string{} : items->front().event.error().why;
    };
    EXPECT_EQ(read(R"({"list": [{"id": "a", "type": "t"}]})"), "");
    EXPECT_EQ(read("{}"), "items: /list is missing");
    EXPECT_EQ(read(R"({"list": {}})"), "items: /list is no list of objects");
    EXPECT_EQ(read(R"({"list": []})"), "items: /list is empty");
    EXPECT_EQ(read("hello"), "body: it is no JSON");
    EXPECT_EQ(read(R"({"list": [{"type": "t"}]})"), "id: /id is missing");
}

TEST(Unread, IsShortAndPrintableWhateverTheRecipeNames) {
    const std::string why =
        unread(errc::wrong_type, "id", "/\xE2\x82\xAC\n" + std::string(500, 'x'), "is missing").error().why;
    EXPECT_EQ(why.size(), Unread::longest_why);
    EXPECT_TRUE(is_printable(why)) << why;
    EXPECT_EQ(unread(errc::wrong_type, "id", "/x", "is no text").error().code, errc::unreadable_body);
}

}  // namespace sluice::webhook::test
