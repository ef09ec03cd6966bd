#include "common/webhook/body/form.hpp"

#include <gtest/gtest.h>

#include "common/webhook/body/form_view.hpp"
#include "tests/unit/common/webhook/fixture.hpp"

namespace sluice::webhook::test {
namespace {

Form form_of(std::string_view body) {
    Form form;
    EXPECT_TRUE(form.read(body)) << body;
    return form;
}

std::string sorted(std::string_view body, std::vector<std::string> drop = {}, bool skip_blank = false) {
    return std::string{form_of(body).sorted_text(drop, skip_blank)};
}

TEST(Form, IsDecodedOnce) {
    EXPECT_EQ(sorted("a=1+2&b=%2B%20&c=%2541"), "a=1 2&b=+ &c=%41");
    EXPECT_EQ(sorted("%61=%e4%b8%ad"), "a=\xe4\xb8\xad");
    EXPECT_EQ(sorted("a=b=c&d"), "a=b=c&d=");
    EXPECT_EQ(sorted("&&a=1&"), "a=1");
    EXPECT_EQ(sorted(""), "");
    EXPECT_EQ(sorted(std::string_view{"a=%00\0", 6}), std::string({'a', '=', '\0', '\0'}));
}

TEST(Form, RefusesWhatCannotBeTakenApart) {
    for (const std::string_view body : {"a=%", "a=%4", "a=%zz", "%4=1", "a=1&b=%G0"}) {
        Form form;
        EXPECT_FALSE(form.read(body)) << body;
    }
}

TEST(Form, HasABoundedNumberOfFields) {
    std::string body;
    for (std::size_t i = 0; i < Form::most_fields; ++i) body += "a=1&";
    Form form;
    EXPECT_TRUE(form.read(body));
    EXPECT_EQ(form.most_of_a_name(), Form::most_fields);
    EXPECT_FALSE(form.read(body + "a=1"));
}

// By bytes, so that letters beyond ASCII come last; by name, not by name=value.
TEST(Form, IsSortedByTheBytesOfTheNames) {
    EXPECT_EQ(sorted("\xc3\xa4=1&z=2&Z=3&a.b=4&a=5"), "Z=3&a=5&a.b=4&z=2&\xc3\xa4=1");
    EXPECT_EQ(sorted("a=1&a-b=2"), "a=1&a-b=2");
}

TEST(Form, LeavesOutWhatIsToBeLeftOut) {
    EXPECT_EQ(sorted("sign=x&a=1&sign_type=RSA2&signs=2", {"sign", "sign_type"}), "a=1&signs=2");
    EXPECT_EQ(sorted("a=&b=+%09%0d%0a&c=0", {}, true), "c=0");
    EXPECT_EQ(sorted("a=&c=0"), "a=&c=0");
}

TEST(Form, CountsNames) {
    Form form = form_of("a=1&b=2&%61=3");
    EXPECT_EQ(form.find("a").count, 2U);
    EXPECT_EQ(form.find("a").value, "3");
    EXPECT_EQ(form.find("c").count, 0U);
    EXPECT_EQ(form.most_of_a_name(), 2U);
    EXPECT_EQ(form_of("b=1&a=2&c=3").most_of_a_name(), 1U);
}

TEST(Form, IsReadAgain) {
    Form form = form_of("long=0123456789&b=2");
    static_cast<void>(form.sorted());
    ASSERT_TRUE(form.read("c=3"));
    EXPECT_EQ(form.sorted_text({}, false), "c=3");
    EXPECT_EQ(form.find("b").count, 0U);
}

bool has_other_reading(std::string_view body, std::vector<std::string> drop = {}, bool skip_blank = false) {
    return form_of(body).has_other_reading(drop, skip_blank);
}

TEST(Form, SaysWhenItsSortedTextHasAnotherReading) {
    EXPECT_EQ(sorted("a=1%26b=2&d=4"), sorted("a=1&b=2&d=4")) << "why anybody asks";
    for (const auto* body : {"a=1%26b=2&d=4", "a=1%26b%3D2", "a=x%26y%26c%3D3&d=4", "a%3D1%26b=2", "a%26b=1"})
        EXPECT_TRUE(has_other_reading(body)) << body;
    for (const auto* body : {"a=1&b=2&d=4", "a=1%26b", "c=1%26b%3D2", "a=1%26e%3D2&d=4", "a=1%26d%3D2&d=4",
                             "a=b%3D2", "a=%26", "a=%26%26%3D", ""})
        EXPECT_FALSE(has_other_reading(body)) << body;
}

TEST(Form, LooksForOtherReadingsInWhatIsSigned) {
    EXPECT_TRUE(has_other_reading("a=1%26c%3D3&b=2&d=4", {"b"}));
    EXPECT_TRUE(has_other_reading("a=1%26c%3D3&b=%20&d=4", {}, true));
    EXPECT_FALSE(has_other_reading("a=1%26c%3D3&b=%20&d=4"));
    EXPECT_FALSE(has_other_reading("a=1%26b%3D2&d=4", {"a"}));
}

std::optional<std::string> json(std::string_view body, std::string_view charset = "") {
    std::string text;
    return append_json_object(text, form_of(body), charset) ? std::optional{text} : std::nullopt;
}

TEST(FormView, HasEveryFieldAsAString) {
    EXPECT_EQ(json("a=%22%5C%0a&b=&c=1"), R"({"a":"\"\\\u000a","b":"","c":"1"})");
    EXPECT_EQ(json(""), "{}");
}

TEST(FormView, HasNothingThatNobodySigned) {
    std::string text;
    ASSERT_TRUE(append_json_object(text, form_of("sign=s&a=1&b=+&charset=%20"), "charset",
                                   SortedForm{{"sign"}, true}));
    EXPECT_EQ(text, R"({"a":"1"})");
}

TEST(FormView, SpeaksUtf8) {
    EXPECT_EQ(json("charset=GBK&s=%D6%D0", "charset"), "{\"charset\":\"GBK\",\"s\":\"\xe4\xb8\xad\"}");
    EXPECT_EQ(json("charset=gb18030&s=%D6%D0", "charset"),
              "{\"charset\":\"gb18030\",\"s\":\"\xe4\xb8\xad\"}");
    EXPECT_EQ(json("s=%E4%B8%AD", "charset"), "{\"s\":\"\xe4\xb8\xad\"}");
    EXPECT_FALSE(json("charset=GBK&s=%D6", "charset")) << "half a character";
    EXPECT_FALSE(json("charset=UTF-7&s=1", "charset")) << "a charset of nobody";
}

const std::string recipe = R"(
recipes:
  - name: mine
    algorithm: hmac-sha256
    keys: {form: text}
    signature: {form: sign, container: raw, encoding: hex}
    timestamp: none
    signed: [SIGNED]
    body: form
    extract: {id: EXTRACTED, type: {literal: t}, order_by: [], livemode: true}
    day: none
    digest: {all_but: [sign]}
sources: [{name: eu, principal: eu, recipe: mine, keys: [{id: a, value: {env: SLUICE_TEST_FIRST}}]}]
)";

Configured mine(std::string_view signed_part, std::string_view extracted = "/id") {
    std::string yaml = recipe;
    yaml.replace(yaml.find("SIGNED"), 6, signed_part);
    yaml.replace(yaml.find("EXTRACTED"), 9, extracted);
    return Configured(yaml);
}

TEST(FormRecipe, OfAUserWorks) {
    const auto configured = mine("{form: {drop: [sign], blank: keep}}");
    ASSERT_EQ(configured.problems.report(), "");
    const auto said = [&](const std::string& body) {
        return verdict(configured.only(), {{}, body}, at_unix(1));
    };
    const std::string sign = "&sign=" + hmac_hex(secret, "id=1&note=x y");
    EXPECT_EQ(said("note=x+y&id=1" + sign), "");
    EXPECT_EQ(said("note=x+y&id=2" + sign), "signature_mismatch");
    EXPECT_EQ(said("note=x+y&id=1&more" + sign), "signature_mismatch");
    EXPECT_EQ(said("note=x+y&id=1&id=1" + sign), "repeated_field");
    EXPECT_EQ(said("note=x%y&id=1" + sign), "body_grammar");
    EXPECT_EQ(said("note=x+y&id=1"), "no_signature");
    EXPECT_EQ(said(""), "no_signature");
}

TEST(FormRecipe, ThatIsNotSafeIsRefused) {
    const std::string self = "a signature cannot be part of what it signs";
    EXPECT_TRUE(mine("body").refuses(self));
    EXPECT_TRUE(mine("{form: {drop: [sing], blank: keep}}").refuses(self));
    EXPECT_TRUE(mine("{form: sign}").refuses(self));
    EXPECT_TRUE(mine("{form: {drop: [sign]}}").refuses("blank must be given"));
    EXPECT_TRUE(mine("{form: id}").refuses("does not cover the body"));
    EXPECT_TRUE(
        mine("{form: {drop: [sign], blank: keep}}, {header: X-A}").refuses("only literals may follow"));
    EXPECT_TRUE(mine("{form: {drop: [sign, id], blank: keep}}")
                    .refuses("is read, although the signature does not cover it"));
    EXPECT_TRUE(
        mine("{form: {drop: [sign, object], blank: keep}}", "[/object/id]").refuses("does not cover it"));
}

}  // namespace
}  // namespace sluice::webhook::test
