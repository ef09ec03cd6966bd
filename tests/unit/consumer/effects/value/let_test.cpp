#include <gtest/gtest.h>

#include "consumer/effects/value/parameters.hpp"
#include "tests/unit/consumer/effects/configuration.hpp"

namespace sluice::effects {
namespace {

auto read(const std::string& let) {
    return read_with("effects:\n" + let, [](const config::Document& document, config::Problems&) {
        return read_parameters(*document.value("effects"), true);
    });
}

TEST(Let, TakesAPointerAsText) {
    const auto [parameters, report] = read("  customer: /data/object/customer\n");
    EXPECT_EQ(report, "");
    ASSERT_EQ(parameters.size(), 1U);
    EXPECT_EQ(parameters[0].name, "customer");
    EXPECT_EQ(parameters[0].from[0].pointer.text(), "/data/object/customer");
    EXPECT_EQ(parameters[0].type(), ParameterType::text);
    EXPECT_FALSE(parameters[0].optional);
    EXPECT_FALSE(parameters[0].from[0].minus);
    EXPECT_EQ(parameters[0].place.line, 2);
}

TEST(Let, TakesTypeOptionalAndMinus) {
    const auto [parameters, report] = read(
        "  a: {pointer: /a, as: int64, minus: /b}\n"
        "  b: {pointer: /a, as: int64, optional: true, minus: {pointer: /b, optional: true}}\n"
        "  c: {pointer: /a, as: boolean}\n"
        "  d: {pointer: /a, as: time}\n"
        "  e: {pointer: /a, as: text}\n");
    EXPECT_EQ(report, "");
    ASSERT_EQ(parameters.size(), 5U);
    EXPECT_EQ(parameters[0].type(), ParameterType::int64);
    EXPECT_EQ(parameters[0].from[0].minus->pointer.text(), "/b");
    EXPECT_FALSE(parameters[0].from[0].minus->optional);
    EXPECT_TRUE(parameters[1].optional);
    EXPECT_TRUE(parameters[1].from[0].minus->optional);
    EXPECT_EQ(parameters[2].type(), ParameterType::boolean);
    EXPECT_EQ(parameters[3].type(), ParameterType::time);
    EXPECT_EQ(parameters[4].type(), ParameterType::text);
}

struct Wrong {
    std::string let;
    std::string says;
};

TEST(Let, SaysWhatIsWrongAndWhere) {
    const Wrong cases[] = {
        {"  a: data/object\n", "test.yaml:2: 'data/object' is not a JSON pointer"},
        {"  a: /b~2\n", "test.yaml:2: '/b~2' is not a JSON pointer"},
        {"  ok: /a\n  a: ''\n", "test.yaml:3: '' is not a JSON pointer"},
        {"  a: {as: int64}\n", "test.yaml:2: a.pointer must be given"},
        {"  a: {pointer: x}\n", "test.yaml:2: 'x' is not a JSON pointer"},
        {"  a: {pointer: /x, as: integer}\n", "test.yaml:2: a.as must be one of text, int64, boolean, time"},
        {"  a: {pointer: /x, optional: maybe}\n", "test.yaml:2: a.optional must be true or false"},
        {"  a: {pointer: /x, optinal: true}\n", "test.yaml:2: a.optinal is not a known key"},
        {"  a: {pointer: /x, minus: /y}\n", "test.yaml:2: minus is only for numbers"},
        {"  a: {pointer: /x, as: int64, minus: y}\n", "test.yaml:2: 'y' is not a JSON pointer"},
        {"  a: {pointer: /x, as: int64, minus: {optional: true}}\n", "minus.pointer must be given"},
        {"  a: [x]\n", "test.yaml:2: 'x' is not a JSON pointer"},
        {"  a: []\n", "test.yaml:2: a must have one to eight places"},
        {"  a: [[/x]]\n", "is not a JSON pointer"},
        {"  a: [/1, /2, /3, /4, /5, /6, /7, /8, /9]\n", "must have one to eight places"},
        {"  a: {pointer: []}\n", "pointer must be a JSON pointer, or a list"},
        {"  a: [/x, {pointer: /y, as: int64}]\n", "all places of a must give one type: /x and /y do not"},
        {"  a: [{pointer: /x, optional: true}, /y]\n", "only the last place of a list can be optional"},
        {"  a: [{pointer: /x, default: n}, /y]\n", "only the last place of a list can be optional or have"},
        {"  a: {pointer: /x, header: x-id}\n", "give one of pointer, header, event and value"},
        {"  a: {pointer: /x, optional: true, default: n}\n", "default and optional exclude each other"},
        {"  a: {pointer: /x, as: minor}\n", "as: minor and as: decimal need either scale or currency"},
        {"  a: {pointer: /x, as: minor, scale: 2, currency: CNY}\n", "need either scale or currency"},
        {"  a: {pointer: /x, as: decimal}\n", "as: minor and as: decimal need either scale or currency"},
        {"  a: {pointer: /x, as: minor, scale: 19}\n", "a.scale must be a whole number from 0 to 18"},
        {"  a: {pointer: /x, as: minor, currency: RMB}\n", "'RMB' is no code of ISO 4217"},
        {"  a: {pointer: /x, as: minor, currency: XAU}\n", "'XAU' is no code of ISO 4217"},
        {"  a: {pointer: /x, as: minor, currency: /b~2}\n", "'/b~2' is not a JSON pointer"},
        {"  a: {pointer: /x, as: int64, scale: 2}\n", "scale and currency are only for as: minor"},
        {"  a: {pointer: /x, currency: CNY}\n", "scale and currency are only for as: minor"},
        {"  a: {pointer: /x, as: minor, scale: 2, minus: /y}\n", "minus is only for numbers"},
        {"  a: {pointer: /x, forms: [unix]}\n", "forms are only for as: time"},
        {"  a: {pointer: /x, as: time, forms: [iso]}\n", "forms must be a list of unix"},
        {"  a: {pointer: /x, as: time, forms: compact}\n", "compact must stand alone, and needs zone"},
        {"  a: {pointer: /x, as: time, zone: '+08:00'}\n", "zone needs forms"},
        {"  a: {pointer: /x, as: time, forms: rfc3339, zone: Shanghai}\n", "zone must be an offset from UTC"},
        {"  a: {header: 'x id'}\n", "a header's name must have only letters"},
        {"  a: {header: x-id, as: boolean}\n", "a header is text"},
        {"  a: {header: x-id, as: json}\n", "a header is text"},
        {"  a: {header: x-id, as: int64, minus: /y}\n", "minus is only for what stands in the body"},
        {"  a: {event: amont}\n", "'amont' is no field of an event: it must be event_id, event_type"},
        {"  a: {event: livemode, as: int64}\n", "livemode has a type of its own: as is for texts"},
        {"  a: {event: event_type, as: boolean}\n", "event_type is text: map says what which text means"},
        {"  a: {event: livemode, map: {'1': a}}\n", "map is for texts, and livemode is none"},
        {"  a: {event: amount, map: {'1': a}}\n", "map is for texts, and amount is none"},
        {"  a: {value: [1]}\n", "value must be a text or a number"},
        {"  a: {value: x, as: int64}\n", "test.yaml:2: \"x\" is no whole number"},
        {"  a: {value: 99999999999999999999, as: int64}\n", "is outside the numbers of 64 bits"},
        {"  a: {value: '1.234', as: minor, currency: CNY}\n", "has more decimals than its currency"},
        {"  a: {value: abc, as: hex}\n", "is no even number of hex digits"},
        {"  a: {value: 'eA', as: base64}\n", "is no base64 with its padding"},
        {"  a: {value: '{', as: json}\n", "is no JSON"},
        {"  a: {value: 'yes', as: boolean}\n", "is neither true nor false"},
        {"  a: {value: '2026-11-21', as: time}\n", "is no time of RFC 3339"},
        {"  a: {pointer: /x, as: time, forms: compact, zone: '+08:00', default: ''}\n", "stands for no time"},
        {"  a: {pointer: /x, as: time, forms: compact, zone: '+08:00', map: {a: ''}}\n",
         "stands for no time"},
        {"  a: {pointer: /x, as: minor, currency: /c, default: none}\n", "is no number of digits"},
        {"  a: {pointer: /x, as: int64, default: none}\n", "\"none\" is no whole number"},
        {"  a: {pointer: /x, default: [1]}\n", "default must be a text or a number"},
        {"  a: {pointer: /x, map: {}}\n", "map must be a mapping from texts to texts"},
        {"  a: {pointer: /x, map: [a]}\n", "map must be a mapping from texts to texts"},
        {"  a: {pointer: /x, map: {a: [b]}}\n", "map must go from a text to a text"},
        {"  a: {pointer: /x, map: {a: b}, as: int64}\n", "\"b\" is no whole number"},
        {"  a: {pointer: /x, as: int64, map: {a: 1}, minus: /y}\n",
         "minus is only for what stands in the body"},
        {"  1a: /x\n", "test.yaml:2: '1a' is not a parameter name"},
        {"  a-b: /x\n", "test.yaml:2: 'a-b' is not a parameter name"},
        {"  event_id: /id\n", "test.yaml:2: :event_id is reserved"},
        {"  a: /x\n  a: /y\n", "test.yaml:3:"},
        {"  - a\n", "test.yaml:2: let must be a mapping"},
    };
    for (const auto& [let, says] : cases)
        EXPECT_TRUE(read(let).report.contains(says)) << let << read(let).report;
}

TEST(Let, ReportsEveryProblemAtOnce) {
    const auto report = read("  a: x\n  b: y\n").report;
    EXPECT_TRUE(report.contains(":2:") && report.contains(":3:")) << report;
}

}  // namespace
}  // namespace sluice::effects
