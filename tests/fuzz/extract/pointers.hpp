#pragma once

#include <string_view>

#include "common/webhook/body/json_view.hpp"
#include "tests/fuzz/extract/json_tree.hpp"

namespace sluice::fuzz {

/// Pointers to what is in a document and to what is not: each has the answer that the tree gives, asked
/// together with others or alone, and what it names is there without white space as simdjson::minify has it.
/// `view` has read what `root` was read from.
void pointers_agree(const webhook::JsonView& view, const Json& root);

}  // namespace sluice::fuzz
