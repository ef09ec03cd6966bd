#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>

namespace sluice::effects {

/// A statement that a handler declared.
struct DeclaredStatement {
    std::string text;
    bool is_select = false;
    std::size_t parameters = 0;  ///< how many ? it has
};

/// One SELECT without INTO, or one INSERT, UPDATE, DELETE or REPLACE: what never commits by itself. Otherwise
/// the sentence that says what is wrong. Pure.
[[nodiscard]] std::expected<DeclaredStatement, std::string> declared_statement(std::string_view text);

}  // namespace sluice::effects
