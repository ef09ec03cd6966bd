#pragma once

#include <expected>
#include <string>
#include <string_view>

namespace sluice::effects {

/// The statement without the semicolon that may end it, when it is one INSERT, UPDATE, DELETE or REPLACE (a
/// WITH may stand before UPDATE and DELETE): the only kinds that never commit by themselves and say how many
/// rows they matched. Otherwise the sentence that says what is wrong. Pure.
[[nodiscard]] std::expected<std::string_view, std::string> single_change(std::string_view statement);

}  // namespace sluice::effects
