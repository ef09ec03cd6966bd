#include "common/webhook/recipe/fact.hpp"

#include <gtest/gtest.h>

#include "common/crypto/digest.hpp"
#include "common/crypto/encoding.hpp"
#include "common/error.hpp"

namespace sluice::webhook::test {
namespace {

using From = Fact::From;

Fact at(std::string_view pointer) {
    Fact fact;
    fact.pointer = Pointer::parse(pointer).value();
    return fact;
}

Fact named(From from, std::string name) {
    Fact fact;
    fact.from = from;
    fact.name = std::move(name);
    return fact;
}

Fact templated(std::string before, std::string_view pointer, std::string behind, Fact::Cut cut) {
    Fact fact = at(pointer);
    fact.from = From::templated;
    fact.name = std::move(before);
    fact.behind = std::move(behind);
    fact.cut = cut;
    return fact;
}

Fact optional(Fact fact) {
    fact.optional = true;
    return fact;
}

class Facts : public testing::Test {
protected:
    /// The text, or the error's message in brackets.
    std::string read(const webhook::Facts& facts, std::string_view body = json) {
        EXPECT_TRUE(view_.read(body.starts_with('{') ? body : "{}"));
        const std::vector<HeaderField> headers{{"X-Id", "h1"}, {"X-Twice", "a"}, {"x-twice", "b"}};
        const Request request{"POST", "/hook?id=q%201&two=1&two=2&bad=%zz", headers, body};
        FactReader reader(request, view_);
        const auto text = reader.text(facts);
        return text ? std::string{*text} : "[" + text.error().message() + "]";
    }
    std::string read(const Fact& fact, std::string_view body = json) { return read({{fact}}, body); }

    static std::string failure(std::error_code error) { return "[" + error.message() + "]"; }
    static std::string hashed(std::string_view text) { return crypto::to_hex(crypto::sha256(text)); }

    static constexpr std::string_view json =
        R"({"id":"e1","n":12,"huge":1e30,"null":null,"empty":"","list":[],"word":"payments.done","kind":"refunds",)"
        R"("slash":"a/b","links":{"refund":"re_1","payments":"pa_1"}})";

private:
    JsonView view_;
};

TEST_F(Facts, StandInHeadersOnce) {
    EXPECT_EQ(read(named(From::header, "x-id")), "h1");
    EXPECT_EQ(read(named(From::header, "X-Twice")), failure(errc::duplicate_key));
    EXPECT_EQ(read(named(From::header, "X-None")), failure(errc::missing_pointer));
}

TEST_F(Facts, StandInParametersOnceAndDecoded) {
    EXPECT_EQ(read(named(From::query, "id")), "q 1");
    EXPECT_EQ(read(named(From::query, "two")), failure(errc::duplicate_key));
    EXPECT_EQ(read(named(From::query, "none")), failure(errc::missing_pointer));
    EXPECT_EQ(read(named(From::query, "bad")), failure(errc::wrong_type));
}

TEST_F(Facts, AreDigestsOfAStringTheBodyOrAField) {
    Fact digest = at("/id");
    digest.from = From::digest;
    EXPECT_EQ(read(digest), hashed("e1"));
    digest.pointer = Pointer::parse("/n").value();
    EXPECT_EQ(read(digest), failure(errc::wrong_type));
    EXPECT_EQ(read(named(From::body_digest, "")), hashed(json));
    const Fact field = named(From::field_digest, "payload");
    EXPECT_EQ(read(field, "payload=a%20b&x=1"), hashed("a b"));
    EXPECT_EQ(read(field, "payload=a&payload=b"), failure(errc::duplicate_key));
    EXPECT_EQ(read(field, "x=1"), failure(errc::missing_pointer));
    EXPECT_EQ(read(field, "payload=%zz"), failure(errc::missing_pointer));
}

TEST_F(Facts, AreIntegersOnlyWhereThatIsSaid) {
    Fact number = at("/n");
    EXPECT_EQ(read(number), failure(errc::wrong_type));
    number.integer = true;
    EXPECT_EQ(read(number), "12");
    number.pointer = Pointer::parse("/huge").value();
    EXPECT_NE(read(number).find('['), std::string::npos);
}

TEST_F(Facts, AreLeftOutWhereTheyAreOptional) {
    const auto joined = [&](const Fact& second) { return read({{at("/id"), second}}); };
    EXPECT_EQ(joined(optional(at("/none"))), "e1");
    EXPECT_EQ(joined(optional(at("/null"))), "e1");
    EXPECT_EQ(joined(optional(at("/empty"))), "e1");
    EXPECT_EQ(joined(optional(at("/list"))), failure(errc::wrong_type));
    EXPECT_EQ(joined(at("/empty")), failure(errc::missing_pointer));
    EXPECT_EQ(joined(at("/none")), failure(errc::missing_pointer));
    EXPECT_EQ(joined(named(From::literal, "x")), "e1.x");
    EXPECT_EQ(read({{optional(at("/none")), at("/id")}}), "e1");
}

TEST_F(Facts, HaveAlternativesOfWhichTheFirstCounts) {
    EXPECT_EQ(read({{at("/none")}, {at("/id")}}), "e1");
    EXPECT_EQ(read({{at("/null")}, {at("/id")}}), "e1");
    EXPECT_EQ(read({{at("/n")}, {at("/id")}}), failure(errc::wrong_type));
    EXPECT_EQ(read({{at("/none")}, {at("/none")}}), failure(errc::missing_pointer));
}

TEST_F(Facts, AreLookedUpByATemplate) {
    using enum Fact::Cut;
    EXPECT_EQ(read(templated("/links/", "/kind", "", plural)), "re_1");
    EXPECT_EQ(read(templated("/links/", "/word", "", first_word)), "pa_1");
    EXPECT_EQ(read(templated("/links/", "/kind", "", nothing)), failure(errc::missing_pointer));
    EXPECT_EQ(read(templated("/links/", "/id", "", plural)), failure(errc::missing_pointer));
    EXPECT_EQ(read(templated("/", "/slash", "", nothing)), failure(errc::missing_pointer));
    EXPECT_EQ(read(templated("/", "/n", "", nothing)), failure(errc::wrong_type));
    EXPECT_NE(read(templated("/", "/id", "~", nothing)).find('['), std::string::npos);
}

TEST(FactNames, SayWhereItStands) {
    Fact digest = at("/a");
    digest.from = From::digest;
    const webhook::Facts facts{{at("/a"), named(From::header, "X-Id")},
                               {named(From::query, "id")},
                               {digest, named(From::body_digest, ""), named(From::field_digest, "f")},
                               {named(From::literal, "x"), templated("/l/", "/t", "/id", Fact::Cut::plural)}};
    EXPECT_EQ(name_of(facts),
              "/a + header X-Id or query id or SHA-256 of /a + SHA-256 of the body + SHA-256 of field f or "
              "\"x\" + /l/{/t}/id");
    EXPECT_EQ(name_of(webhook::Facts{}), "");
}

}  // namespace
}  // namespace sluice::webhook::test
