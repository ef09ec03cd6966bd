#pragma once

#include <string>
#include <string_view>

#include "common/config/section.hpp"
#include "common/webhook/recipe/input.hpp"

namespace sluice::webhook {

/// {header: NAME or [NAMES]}, {pair: NAME} or {query: NAME}, with `optional` and `case: lower`; {form: NAME}
/// with `optional` and `alphabet: base64`; {form: {drop: [NAMES], blank: skip or keep}}; {item: /pointer}
/// with `optional`, `integer` and `open`.
[[nodiscard]] Input read_input(config::Section& section);
/// Whether the section names one.
[[nodiscard]] bool names_input(config::Section& section);

/// {form: NAME}, with `alphabet`.
[[nodiscard]] Input read_field(config::Section& section);
/// Of {drop: [NAMES], blank: skip or keep}.
[[nodiscard]] Input read_sorted_form(config::Section section);

/// Names of headers under `key`: one, or a list of which the first that is there counts.
[[nodiscard]] Input read_headers(config::Section& section, std::string_view key);

/// 1 to 64 bytes.
[[nodiscard]] std::string short_text(config::Section& section, std::string_view key);

}  // namespace sluice::webhook
