// command/openapi.yaml is the contract: what it says and what the server does are the same.
#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include "command/http/problem.hpp"
#include "tests/unit/command/http/scenarios.hpp"

namespace sluice::command {
namespace {

using Statuses = std::map<std::string, std::set<std::string>>;

YAML::Node contract() {
    return YAML::LoadFile(SLUICE_OPENAPI);
}

/// By operation. `default` stands for what commands declare themselves.
Statuses documented() {
    Statuses all;
    for (const auto& path : contract()["paths"])
        for (const auto& operation : path.second)
            for (const auto& response : operation.second["responses"])
                if (const auto status = response.first.as<std::string>(); status != "default")
                    all[operation.first.as<std::string>()].insert(status);
    return all;
}

TEST(OpenApi, StatusesAreThoseOfTheServer) {
    Statuses seen;
    for (const Scenario& scenario : scenarios()) {
        RunningCommands running;
        seen[scenario.operation].insert(std::to_string(status_of(answer_in(scenario, running))));
    }
    EXPECT_EQ(seen, documented());
}

/// Of Idempotency-Replayed; "" without it.
std::string mark_of(const std::string& answer) {
    constexpr std::string_view name = "\r\nIdempotency-Replayed: ";
    const std::size_t at = answer.find(name);
    if (at == std::string::npos) return "";
    const std::size_t begin = at + name.size();
    return answer.substr(begin, answer.find("\r\n", begin) - begin);
}

TEST(OpenApi, MarksOfResponsesAreThoseOfTheServer) {
    std::set<std::string> seen;
    for (const Scenario& scenario : scenarios()) {
        RunningCommands running;
        const std::string answer = answer_in(scenario, running);
        const std::string mark = mark_of(answer);
        EXPECT_TRUE(mark.empty() || (scenario.problem.empty() && scenario.operation == "post")) << answer;
        EXPECT_FALSE(!mark.empty() && answer.contains("\r\nLocation: ")) << answer;
        if (!mark.empty()) seen.insert(mark);
    }
    std::set<std::string> listed;
    for (const auto& value : contract()["components"]["headers"]["Idempotency-Replayed"]["schema"]["enum"])
        listed.insert(value.as<std::string>());
    EXPECT_EQ(seen, listed);
}

TEST(OpenApi, PathsAreThoseOfTheServer) {
    std::set<std::string> paths;
    for (const auto& path : contract()["paths"]) paths.insert(path.first.as<std::string>());
    EXPECT_EQ(paths, (std::set<std::string>{"/v1/commands/{name}", "/v1/commands/{name}/{key}"}));
    EXPECT_TRUE(read_target("/v1/commands/name"));
    EXPECT_TRUE(read_target("/v1/commands/name/key"));
}

TEST(OpenApi, ProblemsAreAllListed) {
    std::set<std::string> listed;
    for (const auto& name : contract()["components"]["schemas"]["Problem"]["properties"]["type"]["enum"])
        listed.insert(name.as<std::string>());
    for (const ProblemRow& row : all_problems())
        EXPECT_TRUE(listed.contains("urn:sluice:problem:" + std::string{row.name})) << row.name;
    for (const Scenario& scenario : scenarios())
        EXPECT_TRUE(scenario.problem.empty() || listed.contains("urn:sluice:problem:" + scenario.problem))
            << scenario.problem;
}

}  // namespace
}  // namespace sluice::command
