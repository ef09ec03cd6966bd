#include <gtest/gtest.h>

#include "consumer/effects/value/parameters.hpp"
#include "tests/unit/consumer/effects/configuration.hpp"

namespace sluice::effects {
namespace {

auto read(const std::string& let) {
    return read_with("effects:\n" + let, [](const config::Document& document, config::Problems&) {
        return read_parameters(*document.value("effects"));
    });
}

TEST(Let, TakesAPointerAsText) {
    const auto [parameters, report] = read("  customer: /data/object/customer\n");
    EXPECT_EQ(report, "");
    ASSERT_EQ(parameters.size(), 1U);
    EXPECT_EQ(parameters[0].name, "customer");
    EXPECT_EQ(parameters[0].pointer.text(), "/data/object/customer");
    EXPECT_EQ(parameters[0].type, ParameterType::text);
    EXPECT_FALSE(parameters[0].optional);
    EXPECT_FALSE(parameters[0].minus);
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
    EXPECT_EQ(parameters[0].type, ParameterType::int64);
    EXPECT_EQ(parameters[0].minus->pointer.text(), "/b");
    EXPECT_FALSE(parameters[0].minus->optional);
    EXPECT_TRUE(parameters[1].optional);
    EXPECT_TRUE(parameters[1].minus->optional);
    EXPECT_EQ(parameters[2].type, ParameterType::boolean);
    EXPECT_EQ(parameters[3].type, ParameterType::time);
    EXPECT_EQ(parameters[4].type, ParameterType::text);
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
        {"  a: [/x]\n", "is not a JSON pointer"},
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
