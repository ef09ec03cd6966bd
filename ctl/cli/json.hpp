#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace sluice::ctl {

/// JSON that this program writes or edits; members keep their order. What providers send is read with
/// webhook::JsonView, which is strict about duplicate keys and numbers.
using Json = nlohmann::ordered_json;

[[nodiscard]] std::optional<Json> parse_json(std::string_view text);

/// null for an empty text.
[[nodiscard]] Json text_or_null(const std::string& text);

/// On one line; bytes that are not UTF-8 become U+FFFD.
[[nodiscard]] std::string to_line(const Json& value);

/// For people: two spaces of indent.
[[nodiscard]] std::string to_pretty(const Json& value);

}  // namespace sluice::ctl
