#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::effects {

/// A statement as the server prepares it, and the parameter that each ? stands for, in order.
struct Placeholders {
    std::string text;
    std::vector<std::string> names;     ///< without the colon; a name may stand there several times
    std::vector<std::string> quoted{};  ///< what looks like a :name in '…' or "…": it stays text
};

/// Turns each :name outside quotes and comments into ?. "::" and ":=" are left alone. A ? of the
/// statement's own, an open quote or comment, or a comment that servers run (/*! … */) is the sentence that
/// says so. Pure.
[[nodiscard]] std::expected<Placeholders, std::string> replace_placeholders(std::string_view statement);

/// [A-Za-z_][A-Za-z0-9_]*
[[nodiscard]] bool is_parameter_name(std::string_view name) noexcept;

}  // namespace sluice::effects
