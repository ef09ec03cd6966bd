#include "consumer/command/operator_settings.hpp"

#include <gtest/gtest.h>

#include "tests/unit/common/config/reading.hpp"

namespace sluice::command {
namespace {

using config::Reading;
using config::TestFile;

std::string report_of(const std::string& operators) {
    Reading reading{"operators: {" + operators + "}\n"};
    (void)read_operators(reading.document());
    return reading.report();
}

TEST(OperatorSettings, AreOptional) {
    Reading reading{"log: {level: info}\n"};
    EXPECT_TRUE(read_operators(reading.document()).keys.empty());
    EXPECT_EQ(reading.report(), "");
}

TEST(OperatorSettings, NameKeysAndWhoseTheyAre) {
    Reading reading{
        "operators: {keys: [{id: a, operator: ada, value: {file: /x}}, {id: b, value: {env: B}}]}\n"};
    const auto settings = read_operators(reading.document());
    ASSERT_EQ(reading.report(), "");
    ASSERT_EQ(settings.keys.size(), 2U);
    EXPECT_EQ(settings.keys[0].operator_name, "ada");
    EXPECT_EQ(settings.keys[1].operator_name, "");
    EXPECT_EQ(settings.keys[1].value.name, "B");
}

TEST(OperatorSettings, SayWhatIsWrongAndWhere) {
    for (const auto* wrong :
         {"keys: [{id: \"a:b\", value: {file: /x}}]", "keys: [{id: a}]", "keys: [{value: {file: /x}}]",
          "keys: [{id: a, value: {file: /x}}, {id: a, value: {file: /y}}]", "keys: [{id: a, value: plain}]",
          "kees: []", "keys: [{id: a, value: {file: /x}, owner: ada}]"})
        EXPECT_EQ(report_of(wrong).find("test.yaml:1: "), 0U) << wrong << "\n" << report_of(wrong);
}

TEST(OperatorSettings, TakeNoShortSecretAndNoneThatIsNotThere) {
    const TestFile good{"operator-good", std::string(32, 'k') + "\n"};
    const TestFile shorter{"operator-short", std::string(31, 'k') + "\n"};
    Reading reading{"operators: {keys: [{id: a, value: {file: " + good.path() + "}}]}\n"};
    EXPECT_EQ(resolve_keys(read_operators(reading.document()), reading.problems())[0].secret.bytes(),
              std::string(32, 'k'));
    EXPECT_EQ(reading.report(), "");
    for (const std::string& file : {shorter.path(), std::string{"/nonexistent"}}) {
        Reading refused{"operators: {keys: [{id: a, value: {file: " + file + "}}]}\n"};
        (void)resolve_keys(read_operators(refused.document()), refused.problems());
        EXPECT_NE(refused.report().find(file), std::string::npos) << refused.report();
        EXPECT_EQ(refused.report().find("kkk"), std::string::npos);
    }
}

}  // namespace
}  // namespace sluice::command
