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

constexpr const char* two_operators =
    "keys: [{id: a, operator: ada, value: {file: /x}}, {id: b, operator: bob, value: {file: /y}}]";

TEST(OperatorSettings, NameWhatTakesTwo) {
    Reading reading{std::string{"operators: {"} + two_operators + ", two_for: [edit, skip, close]}\n"};
    const auto settings = read_operators(reading.document());
    EXPECT_EQ(reading.report(), "");
    EXPECT_EQ(settings.two_for,
              (std::vector{store::ActionKind::edit, store::ActionKind::skip, store::ActionKind::close}));
}

TEST(OperatorSettings, AskForTwoOnlyWhereThereAreTwo) {
    for (const auto* keys :
         {"keys: []", "keys: [{id: a, operator: ada, value: {file: /x}}]",
          "keys: [{id: a, operator: ada, value: {file: /x}}, {id: b, operator: ada, value: {file: /y}}]",
          "keys: [{id: a, operator: ada, value: {file: /x}}, {id: b, value: {file: /y}}]"}) {
        const auto report = report_of(std::string{keys} + ", two_for: [edit]");
        EXPECT_EQ(report.find("test.yaml:1: "), 0U) << report;
        EXPECT_NE(report.find("at least two keys with different `operator`"), std::string::npos) << report;
    }
    for (const auto* kind : {"retry", "rerun", "edits", "newer"}) {
        const auto report = report_of(std::string{two_operators} + ", two_for: [" + kind + "]");
        EXPECT_NE(report.find("must be a list of edit, skip and close"), std::string::npos) << report;
    }
}

TEST(OperatorSettings, TakeNoSecretThatTwoOperatorsHave) {
    const TestFile one{"operator-one", std::string(32, 'k')};
    const TestFile twin{"operator-twin", std::string(32, 'k')};
    const std::string keys = "operators: {keys: [{id: a, operator: ada, value: {file: " + one.path() +
                             "}}, {id: b, operator: bob, value: {file: " + twin.path() + "}}]";
    Reading alone{keys + "}\n"};
    (void)resolve_keys(read_operators(alone.document()), alone.problems());
    EXPECT_EQ(alone.report(), "");
    Reading reading{keys + ", two_for: [edit]}\n"};
    (void)resolve_keys(read_operators(reading.document()), reading.problems());
    EXPECT_NE(reading.report().find("a and b have the same secret"), std::string::npos) << reading.report();
    EXPECT_EQ(reading.report().find("kkk"), std::string::npos);
}

}  // namespace
}  // namespace sluice::command
