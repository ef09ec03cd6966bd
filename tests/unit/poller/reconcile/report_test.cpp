#include "poller/reconcile/report.hpp"

#include <gtest/gtest.h>

namespace sluice::poller {
namespace {

constexpr std::chrono::sys_days a_day{std::chrono::year{2026} / 11 / 27};

Report some_report() {
    Report report;
    report.id = "ab12";
    report.window = {a_day, a_day + std::chrono::hours{6}};
    report.why_not_compared = "the window holds no whole UTC day";
    return report;
}

bool says(const Report& report, std::string_view text) {
    return to_people(report).contains(text);
}

TEST(Report, SaysWhyTheOtherWayWasNotCompared) {
    Report report = some_report();
    EXPECT_TRUE(says(report, "not compared: the window holds no whole UTC day"));
    report.counts.not_there = 2;
    report.days_compared = 1;
    EXPECT_FALSE(says(report, "not compared"));
    EXPECT_TRUE(says(report, "2 (of 1 whole days)"));
}

TEST(Report, OfALongListShowsTheFirstFiftyAndCountsTheRest) {
    Report report = some_report();
    for (std::size_t i = 0; i < Report::most_events + 5; ++i)
        list_in(report.missing, {"evt_" + std::to_string(i), "a.type", a_day, "missing"});
    EXPECT_EQ(report.missing.size(), Report::most_events);
    report.counts.missing = 1005;
    EXPECT_TRUE(says(report, "evt_49"));
    EXPECT_FALSE(says(report, "evt_50"));
    EXPECT_TRUE(says(report, "and 955 more"));
}

TEST(Report, HasNothingThatDrawsOnATerminal) {
    Report report = some_report();
    list_in(report.missing, {"evt_1", "a\x1b[31mtype\xff", a_day, "missing"});
    report.counts.missing = 1;
    EXPECT_TRUE(says(report, "a?[31mtype?"));
    EXPECT_TRUE(to_json(report).contains("a\\u001b[31mtype\xEF\xBF\xBD"));
}

TEST(Report, SaysWhichTypesWereAskedFor) {
    Report report = some_report();
    EXPECT_FALSE(says(report, "types"));
    EXPECT_TRUE(to_json(report).contains("\"types\": []"));
    report.types = {"charge.refunded", "invoice.*"};
    EXPECT_TRUE(says(report, "\ntypes  charge.refunded, invoice.*\n"));
    EXPECT_TRUE(to_json(report).contains("\"charge.refunded\""));
}

TEST(ExitStatus, Is0OnlyWhereAllWasJudgedAndNothingIsMissing) {
    Report report = some_report();
    EXPECT_EQ(exit_status(report), 0);
    report.unreadable = 1;
    EXPECT_EQ(exit_status(report), 3);
    report.unreadable = 0;
    report.too_old = 1;
    EXPECT_EQ(exit_status(report), 3);
}

TEST(ExitStatus, Is1WhereSomethingIsMissingWhateverElseCouldNotBeJudged) {
    Report report = some_report();
    report.counts.missing = 1;
    EXPECT_EQ(exit_status(report), 1);
    report.unreadable = report.too_old = 1;
    EXPECT_EQ(exit_status(report), 1);
}

TEST(ExitStatus, Is3WhereItWasBrokenOffWhateverItFound) {
    Report report = some_report();
    report.counts.missing = 1;
    report.broken_off = "it was stopped";
    EXPECT_EQ(exit_status(report), 3);
}

TEST(Report, ThatWasBrokenOffSaysSo) {
    Report report = some_report();
    report.broken_off = "the provider answered with status 500";
    EXPECT_TRUE(says(report, "not finished: the provider answered with status 500"));
    EXPECT_TRUE(to_json(report).contains("\"finished\": false"));
}

}  // namespace
}  // namespace sluice::poller
