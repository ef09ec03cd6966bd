#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace sluice::webhook {

/// Valid JSON and where its structure is: the places of every brace, bracket, colon and comma outside
/// strings and of the first character of every scalar, in order (what simdjson's first stage finds).
struct JsonStructure {
    std::string_view text;
    std::span<const std::uint32_t> places;
};

/// The places of one value of it, from its first character to its last bracket: a scalar has one.
using JsonExtent = std::span<const std::uint32_t>;

/// From place to place through valid JSON, in step with somebody who knows what comes next.
class JsonCursor {
public:
    JsonCursor(const char* text, const std::uint32_t* at) : text_(text), at_(at) {}

    [[nodiscard]] const std::uint32_t* at() const { return at_; }
    [[nodiscard]] bool stands_on(char c) const { return text_[*at_] == c; }
    void step(std::size_t count = 1) { at_ += count; }

    /// To the place after the value that begins here.
    void skip_value() {
        const char first = take();
        if (opens(first)) skip_values(first == '{' ? key_and_colon : 0);
    }

    /// From a value in a container, its key, or the end of an empty one, to the place after the container.
    /// `before_value`: 0 in an array, key_and_colon in an object.
    void skip_values(std::size_t before_value) { at_ = after_values(text_, at_, before_value); }

    static constexpr std::size_t key_and_colon = 2;
    [[nodiscard]] static constexpr bool opens(char c) { return (c | 0x20) == '{'; }   // or a bracket
    [[nodiscard]] static constexpr bool closes(char c) { return (c | 0x20) == '}'; }  // or a bracket

private:
    // By value: a cursor whose address is known cannot be kept in registers.
    static const std::uint32_t* after_values(const char* text, const std::uint32_t* at, std::size_t before);

    char take() { return text_[*at_++]; }

    const char* text_;
    const std::uint32_t* at_;
};

/// A value's own bytes, from its first to its last character.
[[nodiscard]] std::string_view written_at(const JsonStructure& json, JsonExtent value);

/// Those of each element of an array, in order.
[[nodiscard]] std::vector<std::string_view> elements_at(const JsonStructure& json, JsonExtent array);

/// How far beyond the end `without_space` reads and writes.
inline constexpr std::size_t copied_at_once = 32;

/// A value's own bytes without the white space between them: in `target`, which has as much room as it takes
/// and `copied_at_once` more, or where they are. As much can be read beyond the text's end.
[[nodiscard]] std::string_view without_space(const JsonStructure& json, JsonExtent value, char* target);

/// How many containers are open at once in `text`, which may not be JSON at all: then the number
/// means nothing, and the parse will say so.
[[nodiscard]] std::size_t nesting_of(std::string_view text);

}  // namespace sluice::webhook
