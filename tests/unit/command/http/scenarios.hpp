#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "tests/unit/command/http/running_commands.hpp"

namespace sluice::command {

inline const std::string charge_path = "/v1/commands/charge";
inline const std::string charge_body = R"({"amount":5})";

/// A request in a situation of its own, and what it must be answered.
struct Scenario {
    std::string name;
    std::string operation;  ///< of the OpenAPI file: post or get
    int status;
    std::string problem;  ///< the last part of its type; empty: none
    std::function<std::string(RunningCommands&)> request;
    Milliseconds late{0};  ///< passes after it was sent
};

/// Its name, in GoogleTest's messages.
inline void PrintTo(const Scenario& scenario, std::ostream* out) {
    *out << scenario.name;
}

/// Each status of the file at least once.
[[nodiscard]] const std::vector<Scenario>& scenarios();

/// The answer to a scenario's request.
[[nodiscard]] std::string answer_in(const Scenario& scenario, RunningCommands& running);

[[nodiscard]] int status_of(const std::string& answer);

}  // namespace sluice::command
