#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace sluice::webhook {

/// Containers inside each other in one document.
inline constexpr std::size_t most_nested = 64;

/// Which token of a document, counted from 0.
using TokenNumber = std::uint32_t;

/// A document and its tokens: every brace, bracket, colon and comma outside strings, and every scalar. They
/// are known by the place of their first character, in order.
struct JsonTokens {
    std::string_view text;
    std::span<const std::uint32_t> places;
    const TokenNumber* ends = nullptr;  ///< of an opening bracket: the number after its closing one
    std::size_t first_escape = 0;       ///< where; in a text without one its end
    std::size_t last_escape = 0;        ///< where the last one begins

    [[nodiscard]] char first_of(TokenNumber token) const { return text.data()[places[token]]; }
    /// The number after the value that begins with this token.
    [[nodiscard]] TokenNumber after(TokenNumber value) const {
        return opens(first_of(value)) ? ends[value] : value + 1;
    }
    /// Where the next token begins, or the text ends.
    [[nodiscard]] std::size_t next_place(TokenNumber token) const {
        return token + 1 < places.size() ? places[token + 1] : text.size();
    }
    /// A scalar's own characters, from its first to its last.
    [[nodiscard]] std::string_view scalar(TokenNumber token) const {
        const std::size_t begin = places[token];
        std::size_t end = next_place(token);
        while (is_space(text[end - 1])) --end;
        return text.substr(begin, end - begin);
    }

    /// What stands between a string's quotes.
    [[nodiscard]] std::string_view in_quotes(TokenNumber string) const {
        const std::string_view written = scalar(string);
        return written.substr(1, written.size() - 2);
    }
    /// Whether such a text is not what it stands for.
    [[nodiscard]] bool is_escaped(std::string_view in_quotes) const {
        const auto begin = static_cast<std::size_t>(in_quotes.data() - text.data());
        return begin <= last_escape && begin + in_quotes.size() > first_escape && in_quotes.contains('\\');
    }

    [[nodiscard]] static constexpr bool opens(char c) { return (c | 0x20) == '{'; }   // or a bracket
    [[nodiscard]] static constexpr bool closes(char c) { return (c | 0x20) == '}'; }  // or a bracket
    /// Between the tokens of valid JSON nothing else is as small, and no token ends with what is.
    [[nodiscard]] static constexpr bool is_space(char c) { return static_cast<unsigned char>(c) <= ' '; }
};

/// The tokens of one value, from its first to before `after`: a scalar is one.
struct JsonExtent {
    TokenNumber first = 0;
    TokenNumber after = 0;
};

}  // namespace sluice::webhook
