#include "common/webhook/body/json_view.hpp"

#include <gtest/gtest.h>

#include <format>
#include <string>
#include <vector>

#include "common/error.hpp"

namespace sluice::webhook {
namespace {

Pointer at(std::string_view text) {
    return Pointer::parse(text).value();
}

JsonView read(std::string_view body) {
    JsonView view;
    EXPECT_TRUE(view.read(body)) << body;
    return view;
}

bool is_readable(std::string_view body) {
    JsonView view;
    const auto result = view.read(body);
    EXPECT_EQ(result.error_or(std::error_code{}),
              result ? std::error_code{} : make_error_code(errc::unreadable_body));
    return result.has_value();
}

std::string nested(int depth, const std::string& inner) {
    return std::string(static_cast<std::size_t>(depth), '[') + inner +
           std::string(static_cast<std::size_t>(depth), ']');
}

template <class T>
std::error_code error_of(const Result<T>& result) {
    return result ? std::error_code{} : result.error();
}

TEST(JsonView, WantsOneWholeDocument) {
    for (const auto* body : {"{}", "[]", "null", "1", "\"x\"", " {} ", "\t\r\n[1]\n"})
        EXPECT_TRUE(is_readable(body)) << body;
    for (const auto* body :
         {"",        " ",   "{",        "{}}",      "{} {}",    "{}x",       "[1,]",    "{\"a\":1,}", "{a:1}",
          "{'a':1}", "nul", "NaN",      "Infinity", "01",       "+1",        ".5",      "1.",         "1e",
          "-",       "\"x", "\"\x01\"", "\"\\x\"",  "// x\n{}", "{\"a\" 1}", "{\"a\":}"}) {
        EXPECT_FALSE(is_readable(body)) << body;
    }
    EXPECT_FALSE(is_readable(std::string_view("{}\0", 3)));
    EXPECT_FALSE(is_readable(std::string_view("\0{}", 3)));
}

TEST(JsonView, RefusesAByteOrderMark) {
    EXPECT_FALSE(is_readable("\xEF\xBB\xBF{}"));
    EXPECT_FALSE(is_readable("\xFF\xFE{\0}\0"));
}

TEST(JsonView, WantsValidUnicode) {
    EXPECT_TRUE(is_readable("\"\xF0\x9F\x98\x80\""));
    EXPECT_TRUE(is_readable(R"("\ud83d\ude00")"));
    EXPECT_TRUE(is_readable(R"("\u0000")"));
    for (const auto* body :
         {"\"\xFF\"", "\"\xC0\xAF\"", "\"\xED\xA0\x80\"", "\"\xF4\x90\x80\x80\"", "\"\xC3\"", "\"\xE2\x82\"",
          R"("\ud83d\ude0")", R"("\ud83d\u")", R"("\ud83g")"}) {
        EXPECT_FALSE(is_readable(body)) << body;
    }
}

TEST(JsonView, TakesSixtyFourContainersInsideEachOther) {
    EXPECT_TRUE(is_readable(nested(64, "")));
    EXPECT_TRUE(is_readable(nested(64, "1")));
    EXPECT_FALSE(is_readable(nested(65, "")));
    EXPECT_FALSE(is_readable(nested(65, "1")));
    EXPECT_FALSE(is_readable(nested(64, "{}")));
    EXPECT_TRUE(is_readable(nested(63, "{}")));
    EXPECT_FALSE(is_readable(nested(100'000, "")));
    EXPECT_FALSE(is_readable(std::string(100'000, '[')));
    EXPECT_TRUE(is_readable(nested(64, R"("[[[[\"[[[[")")));
    EXPECT_TRUE(is_readable("[" + nested(63, "1") + "," + nested(63, "1") + "]"));
}

TEST(JsonView, KeepsItsDepthAfterADeepDocument) {
    JsonView view;
    EXPECT_TRUE(view.read(nested(64, "1")));
    EXPECT_FALSE(view.read(nested(65, "")));
    EXPECT_TRUE(view.read("{}"));
    EXPECT_FALSE(view.read(nested(65, "")));
}

TEST(JsonView, FindsValuesByPointer) {
    const auto view = read(R"({"a":{"b":[10,{"c":"x"}],"":1,"/":2,"~":3},"n":null,"t":true,"f":1.5,"e":""})");
    EXPECT_EQ(view.integer(at("/a/b/0")), 10);
    EXPECT_EQ(view.string(at("/a/b/1/c")), "x");
    EXPECT_EQ(view.integer(at("/a/")), 1);
    EXPECT_EQ(view.integer(at("/a/~1")), 2);
    EXPECT_EQ(view.integer(at("/a/~0")), 3);
    EXPECT_EQ(view.string(at("/e")), "");
    EXPECT_EQ(view.boolean(at("/t")), true);
    EXPECT_EQ(view.type(at("")), JsonType::object);
    EXPECT_EQ(view.type(at("/a/b")), JsonType::array);
    EXPECT_EQ(view.type(at("/n")), JsonType::null);
    EXPECT_EQ(view.type(at("/f")), JsonType::real);
    EXPECT_EQ(view.type(at("/t")), JsonType::boolean);
}

TEST(JsonView, SaysWhenThereIsNothing) {
    const auto view = read(R"({"a":[10,20],"s":"text","o":{},"n":null})");
    for (const auto* pointer :
         {"/b", "/a/2", "/a/-", "/a/01", "/a/00", "/a/+1", "/a/-1", "/a/ 1", "/a/1x", "/a/", "/a/x", "/s/0",
          "/s/x", "/o/a", "/n/a", "/A", "/a/18446744073709551616", "/a/0/0"}) {
        EXPECT_EQ(error_of(view.string(at(pointer))), errc::missing_pointer) << pointer;
    }
    EXPECT_EQ(view.integer(at("/a/0")), 10);
    EXPECT_EQ(view.integer(at("/a/1")), 20);
    std::string deep;
    for (int i = 0; i < 100; ++i) deep += "/a";
    EXPECT_EQ(error_of(view.string(at(deep))), errc::missing_pointer);
}

TEST(JsonView, SaysWhenTheTypeIsAnother) {
    const auto view = read(R"({"s":"1","i":1,"b":true,"n":null,"o":{},"a":[],"r":1.0})");
    for (const auto* pointer : {"/i", "/b", "/n", "/o", "/a", "/r"})
        EXPECT_EQ(error_of(view.string(at(pointer))), errc::wrong_type) << pointer;
    for (const auto* pointer : {"/s", "/b", "/n", "/o", "/a"})
        EXPECT_EQ(error_of(view.integer(at(pointer))), errc::wrong_type) << pointer;
    for (const auto* pointer : {"/s", "/i", "/n", "/o", "/a", "/r"})
        EXPECT_EQ(error_of(view.boolean(at(pointer))), errc::wrong_type) << pointer;
}

TEST(JsonView, TakesOnlyPlainIntegersForIntegers) {
    const auto integer = [](std::string_view text) {
        return read("{\"n\":" + std::string(text) + "}").integer(at("/n"));
    };
    EXPECT_EQ(integer("0"), 0);
    EXPECT_EQ(integer("-0"), 0);
    EXPECT_EQ(integer("-1"), -1);
    EXPECT_EQ(integer("9007199254740993"), 9007199254740993);
    EXPECT_EQ(integer("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
    EXPECT_EQ(integer("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
    for (const auto* text : {"9223372036854775808", "18446744073709551615", "1e2", "1E2", "100.0", "1.5",
                             "-0.0", "1e-2", "0e0"}) {
        EXPECT_EQ(error_of(integer(text)), errc::out_of_range) << text;
    }
    EXPECT_EQ(read("18446744073709551615").type(at("")), JsonType::big_number);
}

TEST(JsonView, NumbersBeyondItsTypesMatterOnlyWhereTheyAreRead) {
    for (const std::string number :
         {"18446744073709551616", "-9223372036854775809", "123456789012345678901234567890", "1e400", "-1e400",
          "1e+0400", "17976931348623159077293051907890247336179769789423065727343008115e250"}) {
        const auto view = read(R"({"a":1, "big" : )" + number + R"(, "list":[)" + number + R"(], "z":"x"})");
        EXPECT_EQ(view.integer(at("/a")), 1) << number;
        EXPECT_EQ(view.string(at("/z")), "x") << number;
        EXPECT_EQ(error_of(view.integer(at("/big"))), errc::out_of_range) << number;
        EXPECT_EQ(error_of(view.string(at("/big"))), errc::wrong_type) << number;
        EXPECT_EQ(view.minified(at("/big")), number);
        EXPECT_EQ(view.minified(at("/list")), "[" + number + "]");
        EXPECT_EQ(view.written(at("/list/0")), number);
    }
    EXPECT_EQ(read("18446744073709551616").type(at("")), JsonType::big_number);
    EXPECT_EQ(read("1e400").type(at("")), JsonType::real);
    EXPECT_TRUE(is_readable("1e-400"));
}

TEST(JsonView, HalvesOfSurrogatePairsMatterOnlyWhereTheyAreRead) {
    for (const std::string half :
         {R"(\ud83d)", R"(\ude00)", R"(\uD83D\u0041)", R"(\ud83dx)", R"(\ude00\ud83d)", R"(\\\ud83d)",
          R"(\ud83d\ud83d\ude00)", R"(\ud83d\\ude00)", R"(\"\udFFF)"}) {
        const auto view =
            read(R"({"a":1, "cut" : ")" + half + R"(" ,"list":[")" + half + R"("],"z":"\ud83d\ude00"})");
        EXPECT_EQ(view.integer(at("/a")), 1) << half;
        EXPECT_EQ(view.string(at("/z")), "\xF0\x9F\x98\x80") << half;
        EXPECT_EQ(error_of(view.string(at("/cut"))), errc::unreadable_body) << half;
        EXPECT_EQ(error_of(view.string(at("/list/0"))), errc::unreadable_body) << half;
        EXPECT_EQ(view.type(at("/cut")), JsonType::string);
        EXPECT_EQ(view.minified(at("/cut")), "\"" + half + "\"");
        EXPECT_EQ(view.minified(at("/list")), "[\"" + half + "\"]");
    }
    EXPECT_EQ(read(R"(["\ud800","\\ud800"])").string(at("/1")), R"(\ud800)");
}

TEST(JsonView, TakesNoKeyForAnother) {
    const auto view = read(R"({"\ud800":1,"\ud801":2,"a\udfff":3,"a":4,"s":"\ufffd","\\ud802":5})");
    EXPECT_EQ(view.integer(at("/a")), 4);
    EXPECT_EQ(view.string(at("/s")), "\xEF\xBF\xBD");
    for (const auto* pointer : {"/\xEF\xBF\xBD", "/a\xEF\xBF\xBD", R"(/\ud800)", "/\xED\xA0\x80", "/"})
        EXPECT_EQ(error_of(view.integer(at(pointer))), errc::missing_pointer) << pointer;
    EXPECT_EQ(view.integer(at(R"(/\ud802)")), 5);
}

TEST(JsonView, WhatIsNoJsonIsNoneBesideTheseToo) {
    const std::string big = "18446744073709551616";
    const std::vector<std::string> bodies{big + "x",
                                          "[" + big + "x]",
                                          "[" + big + " " + big + "]",
                                          "{" + big + ":1}",
                                          "[0" + big + "]",
                                          "[+" + big + "]",
                                          "[" + big + ".]",
                                          "[" + big + "e]",
                                          "[" + big + "e+]",
                                          "[.1e400]",
                                          "[-]",
                                          "[1e400\"x\"]",
                                          "[1,01," + big + "]",
                                          R"(["\ud800)",
                                          R"(["\ud800"x])",
                                          R"(["\ud800\x"])",
                                          "[\"\\ud800\x01\"]",
                                          "[\"\\ud800\xFF\"]",
                                          "\xEF\xBB\xBF[1e400]",
                                          nested(65, big),
                                          nested(65, R"("\ud800")")};
    for (const std::string& body : bodies) EXPECT_FALSE(is_readable(body)) << body;
    EXPECT_TRUE(is_readable(nested(64, big)));
    EXPECT_TRUE(is_readable(nested(63, "[]," + big)));
}

TEST(JsonView, ForgetsTheOddValuesOfTheLastDocument) {
    JsonView view;
    ASSERT_TRUE(view.read(R"({"a":1e400,"b":"\ud800"})"));
    ASSERT_TRUE(view.read(R"({"a":1,"b":"\u0062"})"));
    EXPECT_EQ(view.integer(at("/a")), 1);
    EXPECT_EQ(view.string(at("/b")), "b");
}

TEST(JsonView, UnescapesKeysAndStrings) {
    const auto view = read(R"({"\u0069d":"\u0065vt\n\"\\\/","k\"ey":1,"a\/b":2})");
    EXPECT_EQ(view.string(at("/id")), "evt\n\"\\/");
    EXPECT_EQ(view.integer(at("/k\"ey")), 1);
    EXPECT_EQ(view.integer(at("/a~1b")), 2);
}

TEST(JsonView, RefusesKeysThatStandTwiceOnTheWay) {
    for (const auto* body :
         {R"({"a":{"b":1},"a":{"b":1}})", R"({"a":{"b":1,"b":2}})", R"({"a":{"b":1,"c":0,"\u0062":2}})",
          R"({"\u0061":{"b":1},"a":{}})", R"({"a":{"b":null,"b":1}})", R"({"a":1,"a":{"b":1}})"}) {
        const auto view = read(body);
        EXPECT_EQ(error_of(view.integer(at("/a/b"))), errc::duplicate_key) << body;
        EXPECT_EQ(error_of(view.type(at("/a/b"))), errc::duplicate_key) << body;
        EXPECT_EQ(error_of(view.minified(at("/a/b"))), errc::duplicate_key) << body;
        EXPECT_EQ(error_of(view.string(at("/a/b"))), errc::duplicate_key) << body;
        EXPECT_EQ(error_of(view.boolean(at("/a/b"))), errc::duplicate_key) << body;
    }
}

TEST(JsonView, LeavesOtherKeysThatStandTwiceAlone) {
    const auto view = read(R"({"x":1,"x":2,"a":{"y":1,"b":5,"y":2,"c":{"b":1,"b":2}},"B":1,"B":2})");
    EXPECT_EQ(view.integer(at("/a/b")), 5);
    EXPECT_EQ(error_of(view.integer(at("/x"))), errc::duplicate_key);
    EXPECT_EQ(error_of(view.integer(at("/a/c/b"))), errc::duplicate_key);
}

/// Objects that are kept in memory while their document is, and objects that are too large for that.
TEST(JsonView, ReadsObjectsOfAnySizeAgainAndAgain) {
    for (const int members : {0, 1, 255, 256, 257, 1000}) {
        std::string body = R"({"many":{)";
        for (int i = 0; i < members; ++i) body += std::format(R"("k{0}":{{"n":{0}}},)", i);
        body += R"("twice":1,"last":{"n":-1},"twice":2},"list":[{"a":1,"a":2,"b":3}]})";
        const auto view = read(body);
        for (int round = 0; round < 2; ++round) {
            for (int i = 0; i < members; ++i) ASSERT_EQ(view.integer(at(std::format("/many/k{}/n", i))), i);
            EXPECT_EQ(view.minified(at("/many/last")), R"({"n":-1})") << members;
            EXPECT_EQ(error_of(view.integer(at("/many/twice"))), errc::duplicate_key) << members;
            EXPECT_EQ(error_of(view.integer(at("/many/none"))), errc::missing_pointer) << members;
            EXPECT_EQ(error_of(view.integer(at("/list/0/a"))), errc::duplicate_key);
            EXPECT_EQ(view.integer(at("/list/0/b")), 3);
        }
    }
}

TEST(JsonView, MinifiesWithoutChangingAnyToken) {
    const std::string body =
        " {\n \"a\" : [ 1.10 , 1e2 , -0 , \"x y\\n \\\" , ] } \\\\\" ] ,\r\n\t\"b\":{ } , \"c\" : "
        "\"\\u0041\\/\" , \"d\":\ntrue, \"e\":[ { \"f\" : null } ]\n} \n";
    const auto view = read(body);
    EXPECT_EQ(view.minified(at("/a")), R"([1.10,1e2,-0,"x y\n \" , ] } \\"])");
    EXPECT_EQ(view.minified(at("/a/0")), "1.10");
    EXPECT_EQ(view.minified(at("/a/1")), "1e2");
    EXPECT_EQ(view.minified(at("/a/3")), R"("x y\n \" , ] } \\")");
    EXPECT_EQ(view.minified(at("/b")), "{}");
    EXPECT_EQ(view.minified(at("/c")), R"("\u0041\/")");
    EXPECT_EQ(view.minified(at("/d")), "true");
    EXPECT_EQ(view.minified(at("/e/0/f")), "null");
    EXPECT_EQ(view.minified(at("/e")), R"([{"f":null}])");
    EXPECT_EQ(view.minified(at("")),
              R"({"a":[1.10,1e2,-0,"x y\n \" , ] } \\"],"b":{},"c":"\u0041\/","d":true,"e":[{"f":null}]})");
    EXPECT_EQ(error_of(view.minified(at("/z"))), errc::missing_pointer);
}

TEST(JsonView, MinifiesScalarsAtTheTop) {
    EXPECT_EQ(read(" 12 ").minified(at("")), "12");
    EXPECT_EQ(read("\t\"a b\" ").minified(at("")), "\"a b\"");
    EXPECT_EQ(read(" null").minified(at("")), "null");
}

TEST(JsonView, FindsTheSliceBehindEscapedAndRepeatedKeys) {
    const auto view = read(R"({"\"":{"}":1},"x":[1,2],"x":3,"\\":"\\","t":{"v":[[],{},""]},"u":0})");
    EXPECT_EQ(view.minified(at("/t")), R"({"v":[[],{},""]})");
    EXPECT_EQ(view.minified(at("/t/v/2")), R"("")");
    EXPECT_EQ(view.minified(at("/u")), "0");
    EXPECT_EQ(view.minified(at("/\\")), R"("\\")");
}

TEST(JsonView, ForgetsTheLastDocument) {
    JsonView view;
    EXPECT_EQ(error_of(view.string(at("/a"))), errc::unreadable_body);
    ASSERT_TRUE(view.read(R"({ "a" : "one" })"));
    EXPECT_EQ(view.minified(at("/a")), "\"one\"");
    ASSERT_TRUE(view.read(R"({ "a" : "second" })"));
    EXPECT_EQ(view.minified(at("/a")), "\"second\"");
    EXPECT_FALSE(view.read("{"));
    EXPECT_EQ(error_of(view.string(at("/a"))), errc::unreadable_body);
    EXPECT_EQ(error_of(view.minified(at(""))), errc::unreadable_body);
}

TEST(JsonView, ReadsBodiesOfAnySize) {
    JsonView view;
    for (const std::size_t size : {0U, 1U, 63U, 64U, 65U, 16'000U, 16'384U, 17'000U, 1'000'000U, 10U}) {
        ASSERT_TRUE(view.read("{ \"a\" : \"" + std::string(size, 'x') + "\", \"b\" :  2 }"));
        EXPECT_EQ(view.string(at("/a"))->size(), size);
        EXPECT_EQ(view.minified(at("/b")), "2");
    }
}

TEST(JsonView, ReadsPaddedBodiesInPlace) {
    std::string padded = R"({"id":"evt_1"})";
    const std::size_t size = padded.size();
    padded += std::string(64, ']');
    JsonView view;
    ASSERT_TRUE(view.read_padded(std::string_view(padded).substr(0, size)));
    EXPECT_EQ(view.string(at("/id")), "evt_1");
    EXPECT_EQ(view.minified(at("")), R"({"id":"evt_1"})");
}

TEST(JsonView, MovesWithItsDocument) {
    JsonView first = read(R"({"a":"one"})");
    const JsonView second = std::move(first);
    EXPECT_EQ(second.string(at("/a")), "one");
}

}  // namespace
}  // namespace sluice::webhook
