#pragma once

#include <optional>
#include <string>

#include "common/config/section.hpp"
#include "common/webhook/recipe/recipe.hpp"

namespace sluice::webhook {

/// One entry of `recipes:`; the same reader serves built-in recipes and a user's own. Nothing comes
/// back when there was a problem: an unknown key, something that this version cannot do, or a
/// recipe that cannot be safe (recipe_safety.hpp). Each problem has its file and line.
[[nodiscard]] std::optional<Recipe> read_recipe(const config::Value& value, const std::string& path);

// Its parts, one group of keys each.

/// All that says what is signed and with what.
void read_scheme(config::Section& section, Recipe& recipe);
void read_signature(config::Section section, SignatureRule& rule);
void read_timestamp(config::Section& section, TimestampRule& rule);
void read_signed(config::Section& section, SignedRule& rule);
/// `certificate:`, which goes with keys of that form.
void read_certificate(config::Section& section, Recipe& recipe);
/// `require:`, `bind:`, `challenge:` and `with:`.
void read_conditions(config::Section& section, Recipe& recipe);
void read_body(config::Section& section, BodyRule& rule);
/// `extract:`, `day:` and `digest:`.
void read_extraction(config::Section& section, Recipe& recipe);

/// `payment:`.
void read_payment(config::Section& section, Recipe& recipe);

/// {/pointer: TEXT, [TEXTS] or {present: true or false}}, at most six.
[[nodiscard]] std::vector<BodyTest> read_body_tests(const config::Value& value, const std::string& path);

/// `forms` and `zone` of such a field.
void read_time_forms(config::Section& section, TimeField& field);

/// One field that holds an instant, or a list of which the first counts that holds one.
[[nodiscard]] std::vector<TimeField> read_times(config::Section& section, std::string_view key);

/// A list of pointers, at most eight; also a source's own `order_by`.
[[nodiscard]] std::vector<ObjectField> read_order_by(config::Section& section, std::string_view key);

/// A text that must be one of `allowed`; the first of them comes back after a problem.
[[nodiscard]] std::string required_choice(config::Section& section, std::string_view key,
                                          std::initializer_list<std::string_view> allowed);

}  // namespace sluice::webhook
