#pragma once

#include <string>

#include "ctl/cli/console.hpp"
#include "ctl/cli/json.hpp"

namespace sluice::ctl {

enum class Form { table, json, yaml };

/// Every value of JSON as block-style YAML 1.2; text is always quoted, so that "no", "1e3" and times stay
/// text.
[[nodiscard]] std::string to_yaml(const Json& value);

/// One answer in the form that was asked for: `for_people` is what the table form shows.
void print(Console& console, Form form, const Json& value, const std::string& for_people);

}  // namespace sluice::ctl
