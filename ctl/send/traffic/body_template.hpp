#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ctl/cli/json.hpp"
#include "ctl/send/traffic/sample_event.hpp"

namespace sluice::ctl {

/// What a template may name: "{{event}}", "{{amount}}", …
using Values = std::vector<std::pair<std::string, Json>>;

[[nodiscard]] Values values_of(const SampleEvent& event);

/// `body` with every "{{name}}" of its strings replaced. A string that is nothing but one name becomes
/// the value itself, number or boolean; inside longer text the value's text stands. Names that `values`
/// does not have stay as they are.
[[nodiscard]] Json filled(const Json& body, const Values& values);

/// One `--set /pointer=value`: the value is JSON where it reads as JSON, else a string.
struct Edit {
    Json::json_pointer pointer;
    Json value;
};

/// Throws Stopped(usage) saying what is wrong with `text`.
[[nodiscard]] Edit edit_from_text(const std::string& text);
/// Sets the value, making members on the way. Throws Stopped(usage) where the pointer leads through text or a
/// number.
void apply(const Edit& edit, Json& body);

}  // namespace sluice::ctl
