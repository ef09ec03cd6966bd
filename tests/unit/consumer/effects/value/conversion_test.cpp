// What `as` makes of what: one test for each form, with values that somebody might send on purpose.
#include "consumer/effects/value/conversion.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "common/error.hpp"
#include "consumer/effects/value/parameters.hpp"
#include "tests/unit/consumer/effects/configuration.hpp"

namespace sluice::effects {
namespace {

using namespace std::chrono_literals;
using store::Bytes;
using store::Datum;

constexpr auto most = std::numeric_limits<std::int64_t>::max();
constexpr auto least = std::numeric_limits<std::int64_t>::min();

/// `:p` of an event whose body has `json` at /v.
class Conversions : public testing::Test {
protected:
    /// What {pointer: /v, `rest`} makes of it, or the code of why not.
    std::variant<Datum, std::error_code> made_of(const std::string& json, const std::string& rest) {
        why.clear();
        config::Problems problems;
        const auto document =
            config::Document::from_text("effects: {p: {pointer: /v, " + rest + "}}\n", "test.yaml", problems);
        parameters = read_parameters(*document.value("effects"), false);
        EXPECT_EQ(problems.report(), "");
        EXPECT_TRUE(
            view.read("{\"currency\": \"KWD\", \"code\": 392, \"odd\": \"RMB\", \"v\": " + json + "}"))
            << json;
        auto value = value_of(parameters.front(), {headers, {view}}, memory);
        if (value) return *value;
        why = value.error().why;
        return value.error().error;
    }
    void expect(const std::string& json, const std::string& rest, const Datum& wanted) {
        const auto made = made_of(json, rest);
        EXPECT_TRUE(made == (std::variant<Datum, std::error_code>{wanted}))
            << json << " " << rest << " " << why;
    }
    void refuse(const std::string& json, const std::string& rest, errc error = errc::wrong_type) {
        const auto made = made_of(json, rest);
        EXPECT_TRUE(made == (std::variant<Datum, std::error_code>{make_error_code(error)}))
            << json << " " << rest << " " << why;
    }
    std::string why;
    webhook::JsonView view;
    record::EventHeaders headers;
    std::vector<Parameter> parameters;
    std::pmr::monotonic_buffer_resource memory;
};

Datum text(std::string_view t) {
    return t;
}
Datum number(std::int64_t n) {
    return n;
}

TEST_F(Conversions, ToTextTakeTextAlone) {
    expect(R"("a'; DROP TABLE t; --")", "as: text", text("a'; DROP TABLE t; --"));
    expect(R"("")", "as: text", text(""));
    expect(R"("a\u0000b")", "as: text", text(std::string_view{"a\0b", 3}));
    for (const auto* other : {"1", "1.5", "true", "[]", "{}"}) refuse(other, "as: text");
}

TEST_F(Conversions, ToInt64TakeIntegersAndDigits) {
    expect("88", "as: int64", number(88));
    expect(R"("88")", "as: int64", number(88));
    expect(R"("-88")", "as: int64", number(-88));
    expect(R"("0088")", "as: int64", number(88));
    expect(R"("0")", "as: int64", number(0));
    expect(R"("9223372036854775807")", "as: int64", number(most));
    expect(R"("-9223372036854775808")", "as: int64", number(least));
    for (const auto* hostile : {R"("")",     R"("-")",    R"("+88")",
                                R"("--88")", R"("88-")",  R"(" 88")",
                                R"("88 ")",  R"("8 8")",  R"("8,888")",
                                R"("88.0")", R"("88.")",  R"("1e2")",
                                R"("0x58")", R"("８８")", R"("88\u0000")",
                                R"("NaN")",  R"("−88")",  R"("88;DROP TABLE t")",
                                "true",      "[88]",      "{}"})
        refuse(hostile, "as: int64");
    for (const auto* far : {R"("9223372036854775808")", R"("-9223372036854775809")",
                            R"("00000000000000000001")", R"("99999999999999999999999999999999")",
                            "9223372036854775808", "123456789012345678901234567890", "1e2", "88.0", "88.5"})
        refuse(far, "as: int64", errc::out_of_range);
}

TEST_F(Conversions, ToBooleansTakeBooleansAlone) {
    expect("true", "as: boolean", number(1));
    expect("false", "as: boolean", number(0));
    for (const auto* other : {"1", "0", R"("true")", R"("")", "[]", "{}", "1.0"})
        refuse(other, "as: boolean");
}

TEST_F(Conversions, ToMinorUnitsAreExact) {
    expect(R"("88.88")", "as: minor, currency: CNY", number(8888));
    expect(R"("88.8")", "as: minor, currency: CNY", number(8880));
    expect(R"("88")", "as: minor, currency: CNY", number(8800));
    expect("88.88", "as: minor, currency: CNY", number(8888));
    expect("88", "as: minor, currency: CNY", number(8800));
    expect("0.1", "as: minor, scale: 18", number(100'000'000'000'000'000));
    expect("0.29", "as: minor, scale: 2", number(29));  // 28 in floating point
    expect(R"("1.10")", "as: minor, scale: 1", number(11));
    expect(R"("-0.05")", "as: minor, scale: 2", number(-5));
    expect("-5", "as: minor, scale: 2", number(-500));
    expect(R"("500")", "as: minor, currency: JPY", number(500));
    expect(R"("5.12")", "as: minor, currency: /currency", number(5120));
    expect(R"("500")", "as: minor, currency: /code", number(500));
    expect(R"("92233720368547758.07")", "as: minor, scale: 2", number(most));
    for (const auto* hostile : {R"("")",
                                R"(".")",
                                R"("88.")",
                                R"(".88")",
                                R"("8.8.8")",
                                R"("+88.88")",
                                R"("--88")",
                                R"("8,888.88")",
                                R"("88,88")",
                                R"(" 88.88")",
                                R"("88.88 ")",
                                R"("1e2")",
                                R"("¥88.88")",
                                R"("88.88\u0000")",
                                R"("８８.８８")",
                                "1e2",
                                "1E2",
                                "true",
                                "[1]",
                                "{}"})
        refuse(hostile, "as: minor, scale: 2");
    refuse(R"("88.888")", "as: minor, currency: CNY", errc::out_of_range);
    EXPECT_EQ(why, ":p (/v): \"88.888\" has more decimals than its currency or scale");
    refuse(R"("500.5")", "as: minor, currency: /code", errc::out_of_range);
    for (const auto* far : {R"("92233720368547758.08")", "123456789012345678901234567890",
                            "1"
                            "000000000000000000000.5"})
        refuse(far, "as: minor, scale: 2", errc::out_of_range);
}

TEST_F(Conversions, ToMinorUnitsParkWithoutACurrency) {
    refuse("1", "as: minor, currency: /odd");
    EXPECT_EQ(why, ":p (/v): the currency at /odd is \"RMB\", which ISO 4217 gives no minor unit");
    refuse("1", "as: minor, currency: /none", errc::missing_pointer);
    EXPECT_TRUE(why.starts_with(":p (/v): the currency at /none: ")) << why;
    refuse(R"("88.8")", "as: minor, currency: /none, default: 0", errc::missing_pointer);
}

TEST_F(Conversions, ToDecimalsAreExact) {
    expect("8888", "as: decimal, scale: 2", text("88.88"));
    expect(R"("8888")", "as: decimal, currency: CNY", text("88.88"));
    expect("8", "as: decimal, scale: 2", text("0.08"));
    expect("-8", "as: decimal, scale: 2", text("-0.08"));
    expect("0", "as: decimal, scale: 2", text("0.00"));
    expect("500", "as: decimal, currency: /code", text("500"));
    expect("5120", "as: decimal, currency: /currency", text("5.120"));
    expect("9223372036854775807", "as: decimal, scale: 18", text("9.223372036854775807"));
    expect("-9223372036854775808", "as: decimal, scale: 18", text("-9.223372036854775808"));
    expect("-9223372036854775808", "as: decimal, scale: 0", text("-9223372036854775808"));
    for (const auto* hostile : {R"("88.88")", R"("+8")", R"("")", "true", "[]"})
        refuse(hostile, "as: decimal, scale: 2");
    refuse("88.88", "as: decimal, scale: 2", errc::out_of_range);
}

constexpr WallTime evening = std::chrono::sys_days{std::chrono::year{2026} / 11 / 21} + 10h + 46min + 31s;

TEST_F(Conversions, ToTimesAreOfTheFormsThatAreNamed) {
    expect("1795257991", "as: time", evening);
    expect(R"("2026-11-21T18:46:31+08:00")", "as: time", evening);
    expect(R"("2026-11-21 18:46:31")", "as: time, forms: rfc3339, zone: '+08:00'", evening);
    expect(R"("20261121184631")", "as: time, forms: compact, zone: '+08:00'", evening);
    expect("1795257991", "as: time, forms: unix", evening);
    expect(R"("1795257991")", "as: time, forms: unix", evening);
    expect("1795257991000", "as: time, forms: unix-ms", evening);
    expect(R"("1795257991000")", "as: time, forms: unix-ms", evening);
    expect(R"("2026-11-21T10:46:31Z")", "as: time, forms: [unix, rfc3339]", evening);
    for (const auto* hostile :
         {R"("2026-11-21 18:46:31")", R"("1795257991")", R"("")", "\"now()\"", "true", "[]"})
        refuse(hostile, "as: time");
    refuse("1795257991", "as: time, forms: rfc3339");
    refuse(R"("2026-11-21T18:46:31")", "as: time, forms: rfc3339");
    refuse(R"("20261131184631")", "as: time, forms: compact, zone: '+08:00'");
    refuse(R"("2026112118463")", "as: time, forms: compact, zone: '+08:00'");
    refuse(R"("-1795257991")", "as: time, forms: unix");
    refuse(R"("1795257991")", "as: time, forms: [unix, rfc3339]");
    refuse("1.5", "as: time", errc::out_of_range);
    refuse("1.5", "as: time, forms: unix");
    refuse("253402300800", "as: time", errc::out_of_range);
    refuse("-1", "as: time, forms: unix", errc::out_of_range);
    refuse(R"("999999999999999")", "as: time, forms: unix", errc::out_of_range);
    refuse(R"("")", "as: time, forms: compact, zone: '+08:00'", errc::missing_pointer);
    expect(R"("")", "as: time, optional: true, forms: compact, zone: '+08:00'", Datum{nullptr});
}

TEST_F(Conversions, ToBytesAreStrict) {
    expect(R"("00fFA7")", "as: hex", Bytes{std::string_view{"\x00\xff\xa7", 3}});
    expect(R"("")", "as: hex", Bytes{""});
    for (const auto* hostile :
         {R"("0")", R"("0x00")", R"("0g")", R"(" 00")", R"("00\n")", "10", "true", "[]"})
        refuse(hostile, "as: hex");
    expect(R"("AP+n")", "as: base64", Bytes{std::string_view{"\x00\xff\xa7", 3}});
    expect(R"("eA==")", "as: base64", Bytes{"x"});
    expect(R"("")", "as: base64", Bytes{""});
    for (const auto* hostile : {R"("eA")", R"("eA=")", R"("eB==")", R"("eA==\n")", R"(" eA==")", R"("A_-n")",
                                R"("====")", "1", "[]"})
        refuse(hostile, "as: base64");
}

TEST_F(Conversions, ToJsonTakeAnything) {
    expect(R"({ "a" : [ 1.50 , "x\u00e9" , null ] })", "as: json", text(R"({"a":[1.50,"x\u00e9",null]})"));
    expect(R"([ ])", "as: json", text("[]"));
    expect(R"("te xt")", "as: json", text(R"("te xt")"));
    expect("12345678901234567890.10", "as: json", text("12345678901234567890.10"));
    expect("true", "as: json", text("true"));
    refuse("null", "as: json", errc::missing_pointer);
}

TEST_F(Conversions, FollowAMap) {
    expect(R"("01")", "map: {'01': PAID, '04': REFUNDED}", text("PAID"));
    expect("7", "map: {7: seven}", text("seven"));
    expect("true", "map: {true: 1, false: 0}, as: int64", number(1));
    expect(R"("a")", "map: {a: '88.88'}, as: minor, currency: /currency", number(88880));
    expect(R"("a")", "map: {a: true}, as: boolean", number(1));
    expect(R"("a")", "map: {a: 2026-11-21T10:46:31Z}, as: time", evening);
    expect(R"("a")", "map: {a: '[1]'}, as: json", text("[1]"));
    expect(R"("")", "map: {'': none}", text("none"));
    for (const auto* unknown : {R"("1")", R"("001")", R"("01 ")", "1", "01e0", "true", "[]", "{}"}) {
        if (std::string_view{unknown} == "01e0") continue;  // no JSON
        refuse(unknown, "map: {'01': PAID}");
        expect(unknown, "map: {'01': PAID}, default: OTHER", text("OTHER"));
        refuse(unknown, "map: {'01': PAID}, optional: true");
    }
    refuse(R"("9")", "map: {'01': PAID}");
    EXPECT_EQ(why, ":p (/v): \"9\" is in no line of map");
}

TEST_F(Conversions, HaveADefaultForWhatIsNotThere) {
    expect("null", "default: none", text("none"));
    expect("null", "as: int64, default: 0", number(0));
    expect("null", "as: json, default: '[]'", text("[]"));
    expect("null", "map: {a: b}, default: none", text("none"));
    refuse(R"("x")", "as: int64, default: 0");
}

}  // namespace
}  // namespace sluice::effects
