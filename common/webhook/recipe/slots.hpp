#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "common/webhook/recipe/program.hpp"
#include "common/webhook/recipe/recipe.hpp"

namespace sluice::webhook {

/// The readings that a source's settings choose.
[[nodiscard]] const std::vector<Reading>& readings_of(
    const SignedRule& rule, const std::map<std::string, std::string, std::less<>>& with);

/// Gives every input that takes part a slot, each once: the signature's first, pairs last.
void name_slots(const Recipe& recipe, const std::vector<Reading>& readings, const std::vector<Bind>& binds,
                Program& program);

/// Whether an input is all of the body that is ever read: the fields of a form, or the one field that holds
/// what is read.
[[nodiscard]] bool stands_for_body(const Input& input, const BodyRule& body) noexcept;

/// Of an input that has one.
[[nodiscard]] std::uint8_t slot_of(const Program& program, const Input& input);
/// Segment::fixed for a literal.
[[nodiscard]] std::uint8_t slot_of(const Program& program, const SignedPart& part);

}  // namespace sluice::webhook
