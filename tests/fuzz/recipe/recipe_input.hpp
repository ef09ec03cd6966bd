#pragma once

#include <string>
#include <string_view>

#include "common/webhook/recipe/source.hpp"
#include "tests/fuzz/recipe/second_reading.hpp"

namespace sluice::fuzz {

struct Input {
    std::string recipes;
    Letter letter;
};

/// YAML, a line "---", header lines, an empty line, a body; what is not there is empty.
[[nodiscard]] Input input_of(std::string_view text);

/// One source of the recipe "mine", with a key; none where anything about the recipes is refused.
[[nodiscard]] webhook::SourceSet sources_of(const std::string& recipes);

/// Whether everything that `sign` writes can be told from what the recipe puts around it: "msg_" and hex
/// digits, a time, a signature. A recipe where it cannot refuses all of it, which is safe and of no use.
[[nodiscard]] bool is_plain(const webhook::Program& program);

}  // namespace sluice::fuzz
