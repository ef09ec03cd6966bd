#include "command/http/request_log.hpp"

#include <gtest/gtest.h>

#include "tests/unit/command/http/scenarios.hpp"

namespace sluice::command {
namespace {

double count_of(RunningCommands& running, const std::string& line) {
    const std::string all = running.metrics.exposition();
    const auto at = all.find("\n" + line + " ");
    return at == std::string::npos ? -1 : std::stod(all.substr(at + line.size() + 2));
}

std::string ask(RunningCommands& running, const std::string& request) {
    ingress::Client client = running.connect();
    client.send(request);
    return client.answer();
}

TEST(RequestLog, LookUpsCountByWhatTheyFound) {
    RunningCommands running;
    (void)ask(running, running.get(charge_path + "/k1"));
    running.executor->find(Standing{.state = Standing::State::done});
    (void)ask(running, running.get(charge_path + "/k1"));
    (void)ask(running, running.get(charge_path + "/k1"));
    EXPECT_EQ(count_of(running, R"(sluice_command_lookups_total{command="charge",state="absent"})"), 1);
    EXPECT_EQ(count_of(running, R"(sluice_command_lookups_total{command="charge",state="done"})"), 2);
}

TEST(RequestLog, ProblemsCountByTheirName) {
    RunningCommands running;
    running.executor->answer_with({.kind = Answer::Kind::mismatch, .why = "because"});
    (void)ask(running, running.post(charge_path, "\"k1\"", charge_body));
    (void)ask(running, running.post(charge_path, "", charge_body));
    (void)ask(running, "GET " + charge_path + " HTTP/1.1\r\n\r\n");
    EXPECT_EQ(count_of(running, R"(sluice_command_refused_total{reason="key_reused"})"), 1);
    EXPECT_EQ(count_of(running, R"(sluice_command_refused_total{reason="key_missing"})"), 1);
    EXPECT_EQ(count_of(running, R"(sluice_command_refused_total{reason="missing_host"})"), 1);
    EXPECT_EQ(count_of(running, R"(sluice_command_refused_total{reason="limited"})"), 0)
        << "there from the start";
}

TEST(RequestLog, ResponseOfACommandIsNoProblemWhateverItsStatus) {
    RunningCommands running;
    running.executor->answer_with(
        {.kind = Answer::Kind::executed, .response = {.status = 409, .body = "{}"}});
    (void)ask(running, running.post(charge_path, "\"k1\"", charge_body));
    EXPECT_EQ(count_of(running, R"(sluice_command_replies_total{status="4xx"})"), 1);
    EXPECT_EQ(count_of(running, R"(sluice_command_refused_total{reason="in_progress"})"), 0);
}

}  // namespace
}  // namespace sluice::command
