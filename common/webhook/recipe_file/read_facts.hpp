#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/config/section.hpp"
#include "common/webhook/recipe/fact.hpp"

namespace sluice::webhook {

/// "/data/id", {header: NAME}, {query: NAME}, {pointer: /id, integer: true}, {sha256: /pointer, body or
/// {form: NAME}} or {literal: TEXT}, with `optional`.
[[nodiscard]] Fact read_fact(const config::Value& value, const std::string& path);
/// One fact, or {join: [facts]}, which a full stop joins.
[[nodiscard]] Joined read_joined(const config::Value& value, const std::string& path);
/// One of these, or a list of alternatives.
[[nodiscard]] Facts read_facts(config::Section& section, std::string_view key);

/// A JSON pointer that is not the whole document.
[[nodiscard]] std::optional<Pointer> pointer_from(const config::Value& value);
[[nodiscard]] Pointer required_pointer(config::Section& section, std::string_view key);

}  // namespace sluice::webhook
