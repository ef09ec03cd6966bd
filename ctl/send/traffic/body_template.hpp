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

/// One `--set /pointer=value`.
struct Edit {
    Json::json_pointer pointer;
    std::string value;  ///< byte for byte
};

/// Throws Stopped(usage) saying what is wrong with `text`.
[[nodiscard]] Edit edit_from_text(const std::string& text);
/// Of the option, for --help.
inline constexpr const char* edits_help =
    "Change the body, such as /data/object/amount=500; can be repeated. A number, true, false, null or JSON "
    "is "
    "taken as such, all else as text: quote text of digits, '/data/object/number=\"1001\"'. In a form, "
    "/field=text, it is the text as it stands";
/// A line for people: it may be misspelt.
[[nodiscard]] std::string warning_of_added(const std::string& place);

/// Sets the value, making members on the way: in a form its text as it is, else JSON where it reads as JSON.
/// Throws Stopped(usage) where the pointer leads through text or a number.
void apply(const Edit& edit, Json& body, bool is_form);

}  // namespace sluice::ctl
