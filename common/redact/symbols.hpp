#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::redact {

/// One character of a text, as plain text, a form (`+`, `%2D`) or UTF-8 writes it.
struct Symbol {
    enum class Kind {
        digit,
        letter,
        separator,  ///< may stand inside a number that people write in groups
        structure,  ///< ends a field of JSON, a form or XML, or a line; a colon, as times have it
    };
    std::size_t begin = 0;
    std::size_t end = 0;
    Kind kind = Kind::separator;
    char character = 0;  ///< with percent-encoding undone; of a character of several bytes the first

    [[nodiscard]] bool is_word() const noexcept { return kind == Kind::digit || kind == Kind::letter; }
};

/// Pure. Every byte of `text` belongs to one symbol, in order. Any bytes will do: what is no UTF-8 counts
/// byte by byte, as separators.
[[nodiscard]] std::vector<Symbol> symbols_in(std::string_view text);

/// '*' for each byte of `symbol`, which is one of `text`.
void hide(std::string& text, const Symbol& symbol);

}  // namespace sluice::redact
