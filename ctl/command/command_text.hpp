#pragma once

#include <string>
#include <vector>

#include "common/clock.hpp"
#include "consumer/store/command/command_list.hpp"
#include "ctl/cli/json.hpp"

/// Commands of sluice-command in words; pure.
namespace sluice::ctl {

[[nodiscard]] Json to_json(const store::CommandRow& command);
/// {"commands": […]}
[[nodiscard]] Json to_json(const std::vector<store::CommandRow>& commands);

[[nodiscard]] std::string commands_table(const std::vector<store::CommandRow>& commands, WallTime now);
/// One command, line by line, with its response masked.
[[nodiscard]] std::string to_people(const store::CommandRow& command, WallTime now);

}  // namespace sluice::ctl
