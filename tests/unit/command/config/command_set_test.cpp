#include "command/config/command_set.hpp"

#include <gtest/gtest.h>

#include "tests/unit/command/configuration.hpp"

namespace sluice::command {
namespace {

using namespace std::chrono_literals;
using effects::Outcome;

constexpr const char* head = R"(commands:
  - name: note
    parameters: {text: {at: /text}}
    effect: {insert: {table: note, row: {text: ":text"}}}
)";

effects::Verdict ended(Outcome outcome, std::string case_class = {}, std::error_code error = {}) {
    effects::Verdict verdict;
    verdict.outcome = outcome;
    verdict.case_class = std::move(case_class);
    verdict.error = error;
    return verdict;
}

/// What is wrong with `note` and these answers, which begin on line 5.
std::string report_of(const std::string& answers) {
    return read_commands(head + answers).report;
}

TEST(CommandSet, ReadsACommand) {
    const auto [set, report] = read_commands(charge_click);
    ASSERT_EQ(report, "");
    const auto* charge = set.find("charge-click");
    ASSERT_NE(charge, nullptr);
    EXPECT_EQ(set.find("charge"), nullptr);
    EXPECT_EQ(charge->wait, 5s);
    EXPECT_EQ(charge->keep, 72h);
    EXPECT_EQ(charge->key.size(), 2U);
    EXPECT_EQ(charge->parameters.size(), 3U);
    EXPECT_EQ(charge->effect->name(), "charge-click");
    EXPECT_EQ(set.longest_within(), 5s);
}

TEST(CommandSet, OutcomesHaveTheirAnswers) {
    const auto [set, report] = read_commands(charge_click);
    const Answers& answers = set.find("charge-click")->answers;
    EXPECT_EQ(answers.of(ended(Outcome::done))->status, 201);
    EXPECT_EQ(answers.of(ended(Outcome::ignore))->status, 201) << "without an answer of its own";
    EXPECT_EQ(answers.of(ended(Outcome::park, "insufficient_balance"))->status, 409);
    EXPECT_EQ(answers.of(ended(Outcome::park)), nullptr);
    EXPECT_EQ(answers.of(ended(Outcome::park, "unheard_of")), nullptr);
    EXPECT_EQ(answers.of(ended(Outcome::retry)), nullptr);
    EXPECT_EQ(answers.of(ended(Outcome::defer)), nullptr);
    EXPECT_EQ(
        answers.of(ended(Outcome::park, "insufficient_balance", std::make_error_code(std::errc::io_error))),
        nullptr);
}

TEST(CommandSet, WhatIsIgnoredMayHaveAnAnswerOfItsOwn) {
    const auto [set, report] = read_commands(
        std::string{head} + "    answers: {done: {body: {}}, ignored: {status: 200, body: {}}}\n");
    ASSERT_EQ(report, "");
    EXPECT_EQ(set.find("note")->answers.of(ended(Outcome::ignore))->outcome, "ignored");
}

TEST(CommandSet, EachClassNeedsItsAnswerAndEachAnswerItsClass) {
    std::string without{charge_click};
    without.erase(without.find("      insufficient_balance: {status"));
    EXPECT_EQ(read_commands(without).report,
              "test.yaml:10: the command may end with charged_before, and answers has none for it\n"
              "test.yaml:11: the command may end with insufficient_balance, and answers has none for it");
    EXPECT_EQ(report_of("    answers: {done: {body: {}}, too_late: {body: {}}}\n"),
              "test.yaml:5: the command never ends with too_late: nothing in its effect says park: too_late");
}

TEST(CommandSet, ClassesThatASelectNamesNeedTheirAnswers) {
    const std::string text = R"(commands:
  - name: note
    effect:
      decide: {select: "SELECT IF(is_open, 'done', 'park:shut') FROM shop", none: {park: no_shop}}
    answers: {done: {body: {}}, shut: {body: {}}}
)";
    EXPECT_EQ(read_commands(text).report,
              "test.yaml:4: the command may end with no_shop, and answers has none for it");
}

TEST(CommandSet, AnswersThatCannotBeStoredAreRefused) {
    EXPECT_TRUE(
        report_of("    answers: {done: {status: 500, body: {}}}\n").contains("status must be from 200"));
    EXPECT_TRUE(
        report_of("    answers: {done: {status: 302, body: {}}}\n").contains("status must be from 200"));
    EXPECT_TRUE(report_of("    answers: {done: {status: 200}}\n").contains("body is missing"));
    EXPECT_TRUE(report_of("    answers: {done: {body: {a: \":price\"}}}\n").contains(":price is not known"));
    EXPECT_TRUE(
        report_of("    answers: {ignored: {body: {}}}\n").contains("answers needs an answer for done"));
    EXPECT_TRUE(report_of("").contains("answers is missing"));
    EXPECT_TRUE(report_of("    answers: {done: {body: {a: " + std::string(70'000, 'x') + "}}}\n")
                    .contains("an answer has at most 64 KiB"));
}

TEST(CommandSet, AnswersThatMeanAgainAreRefused) {
    for (const auto* status : {"408", "425", "429"}) {
        const std::string answers = std::string{"    answers: {done: {status: "} + status + ", body: {}}}\n";
        EXPECT_TRUE(report_of(answers).contains("status cannot be 408, 425 or 429")) << status;
    }
    EXPECT_EQ(report_of("    answers: {done: {status: 409, body: {}}}\n"), "");
}

TEST(CommandSet, TheColumnsOfTheSelectAreForDoneAlone) {
    std::string other{charge_click};
    other.replace(other.find("price: \":price\"}}"), 17, "left: \":left_over\"}}");
    EXPECT_TRUE(read_commands(other).report.contains(":left_over is not known"))
        << read_commands(other).report;
}

TEST(CommandSet, AResponseIsMadeOfParametersAndColumns) {
    const auto [set, report] = read_commands(charge_click);
    const auto& answers = set.find("charge-click")->answers;
    const record::EventHeaders headers;
    const std::vector<store::Datum> values{std::string_view{"m1"}, std::string_view{"c1"}, std::int64_t{7},
                                           std::int64_t{93}};
    const auto response = response_from(*answers.of(ended(Outcome::done)), {values, headers});
    ASSERT_TRUE(response);
    EXPECT_EQ(response->status, 201);
    EXPECT_EQ(response->content_type, "application/json");
    EXPECT_EQ(response->body, R"({"charged":7,"left":93})");
}

TEST(CommandSet, AResponseThatGetsTooLongIsNone) {
    const auto [set, report] =
        read_commands(std::string{head} + "    answers: {done: {body: {a: \":text\"}}}\n");
    ASSERT_EQ(report, "");
    const std::string text(70'000, 'x');
    const std::vector<store::Datum> values{std::string_view{text}};
    EXPECT_FALSE(
        response_from(*set.find("note")->answers.of(ended(Outcome::done)), {values, record::EventHeaders{}}));
}

TEST(CommandSet, WhatIsForEventsIsRefused) {
    const auto report = read_commands(R"(commands:
  - name: note
    effect: {name: e, when: {type: a}, retry: {attempts: 1}, mirror: {table: t}, let: {unused: /a}, decide: {select: "SELECT 'done'"}}
    answers: {done: {body: {}}}
)")
                            .report;
    for (const auto* key : {"name", "when", "retry", "mirror is only for events"})
        EXPECT_TRUE(report.contains(key)) << key << " in " << report;
}

TEST(CommandSet, LetAddsToTheParameters) {
    const auto with = [](const std::string& let) {
        return read_commands(R"(commands:
  - name: note
    parameters: {text: {at: /text}}
    effect: {let: )" + let + R"(, insert: {table: note, row: {text: ":text"}}}
    answers: {done: {body: {id: ":id"}}}
)")
            .report;
    };
    EXPECT_EQ(with("{id: /id}"), "");
    EXPECT_TRUE(with("{id: /id, more: /more}").contains("nothing uses :more"));
    EXPECT_TRUE(with("{id: /id, text: /text}").contains(":text is there already"));
}

TEST(CommandSet, KeyOfAMessageFitsIntoTheOutbox) {
    const auto with = [](const std::string& longest) {
        return read_commands(R"(destinations: {mail: {kafka: {topic: mail}}}
commands:
  - name: note
    parameters: {order: {at: /order, longest: )" +
                             longest + R"(}}
    effect: {send: {to: mail, key: ":order", body: {order: ":order"}}}
    answers: {done: {body: {}}}
)")
            .report;
    };
    EXPECT_EQ(with("128"), "");
    EXPECT_TRUE(with("129").contains("test.yaml:5: a message's key has at most 128 characters"))
        << with("129");
}

TEST(CommandSet, NamesAreOnceAndPlain) {
    const std::string one =
        "  - {name: note, effect: {decide: {select: \"SELECT 'done'\"}}, answers: {done: {body: {}}}}\n";
    EXPECT_EQ(read_commands("commands:\n" + one).report, "");
    EXPECT_TRUE(read_commands("commands:\n" + one + one).report.contains("there are two commands 'note'"));
    EXPECT_TRUE(
        read_commands("commands:\n  - {name: A/b, effect: {decide: {select: \"SELECT 'done'\"}}, answers: "
                      "{done: {body: {}}}}\n")
            .report.contains("a command's name must have"));
}

TEST(CommandSet, KeysAreFieldsOfTheBody) {
    const std::string rest =
        "    effect: {decide: {select: \"SELECT 'done'\"}}\n    answers: {done: {body: {}}}\n";
    EXPECT_TRUE(read_commands("commands:\n  - name: n\n    key: merchant\n" + rest)
                    .report.contains("'merchant' is no JSON pointer"));
    EXPECT_TRUE(
        read_commands("commands:\n  - name: n\n    key: []\n" + rest).report.contains("key must be a list"));
    EXPECT_TRUE(read_commands("commands:\n  - name: n\n    wait: 1ms\n" + rest).report.contains("wait"));
    EXPECT_TRUE(read_commands("commands:\n  - name: n\n    keep: 1m\n" + rest).report.contains("keep"));
}

}  // namespace
}  // namespace sluice::command
