#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/config/problems.hpp"
#include "common/webhook/recipe/recipe.hpp"

namespace sluice::webhook {

/// Refuses what reads well but cannot be safe: a signature that does not cover the body, a
/// timestamp that it does not cover, signed text with two readings, names that mean two things, facts read
/// from what it does not cover.
void check_safety(const Recipe& recipe, config::Problems& problems);

// Its parts: facts_safety.cpp, certificate_safety.cpp and form_safety.cpp.

/// Refuses facts (id, type, object, time, day, mode, digest) that a recipe of trust
/// `full` reads from what its signature does not cover, and under trust `type` all of those but the type.
/// Under that trust the id may hold what the type is read from, since one body may be two events.
void check_facts(const Recipe& recipe, config::Problems& problems);

/// The same for a source's own order_by: the first place that is not covered, in words.
[[nodiscard]] std::optional<std::string> uncovered_place(const Recipe& recipe,
                                                         const std::vector<ObjectField>& order_by);

/// Where the items of a delivery are signed each: the fields that are, as pointers. Empty: all there is.
[[nodiscard]] std::vector<std::string> signed_fields(const Recipe& recipe);

/// What makes a key that comes with the message unsafe: missing settings, so that nothing says whom to
/// trust.
void check_certificate(const Recipe& recipe, config::Problems& problems);

/// A signature among what it signs; facts in fields that no signature covers.
void check_form_input(const Recipe& recipe, const Input& input, const config::Place& place,
                      config::Problems& problems);
void check_form_facts(const Recipe& recipe, config::Problems& problems);
/// The answer to a challenge is the same text as a signature of it.
void check_challenge(const Recipe& recipe, config::Problems& problems);

}  // namespace sluice::webhook
