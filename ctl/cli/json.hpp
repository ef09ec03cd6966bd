#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace sluice::ctl {

/// JSON that this program writes or edits; members keep their order. What providers send is read with
/// webhook::JsonView, which is strict about duplicate keys and numbers.
using Json = nlohmann::ordered_json;

[[nodiscard]] inline std::optional<Json> parse_json(std::string_view text) {
    Json value = Json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (value.is_discarded()) return std::nullopt;
    return value;
}

/// On one line; bytes that are not UTF-8 become U+FFFD.
[[nodiscard]] inline std::string to_line(const Json& value) {
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// For people: two spaces of indent.
[[nodiscard]] inline std::string to_pretty(const Json& value) {
    return value.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace sluice::ctl
