#include "common/webhook/body/json_scan.hpp"

#include <algorithm>
#include <array>

namespace sluice::webhook {

namespace {

/// How many more containers are open after a character.
constexpr auto openings = [] {
    std::array<std::int8_t, 256> table{};
    table['['] = table['{'] = 1;
    table[']'] = table['}'] = -1;
    return table;
}();

constexpr std::int8_t opened_by(char c) {
    return openings[static_cast<unsigned char>(c)];
}

constexpr std::size_t key_and_colon = 2;

/// From place to place, never beyond the last.
class Cursor {
public:
    explicit Cursor(const JsonStructure& json) : json_(json) {}

    [[nodiscard]] bool done() const { return at_ >= json_.places.size(); }
    [[nodiscard]] std::size_t offset() const { return done() ? json_.text.size() : json_.places[at_]; }
    [[nodiscard]] bool is_object() const { return !done() && json_.text[offset()] == '{'; }
    void step(std::size_t count = 1) { at_ += count; }

    /// To the place after the value that begins here.
    void skip_value() {
        const char first = take();
        if (first == '{') skip_values(key_and_colon);
        if (first == '[') skip_values(0);
    }

private:
    [[nodiscard]] char here() const { return done() ? '\0' : json_.text[json_.places[at_]]; }
    char take() {
        const char c = here();
        step();
        return c;
    }

    /// Skips the rest of a container after its first character. Visits only the values and what follows them,
    /// which are half of the places; as deep as the document is.
    void skip_values(std::size_t before_value) {
        if (opened_by(here()) < 0) return step();
        do {
            step(before_value);
            if (opened_by(here()) > 0)
                skip_value();
            else
                step();
        } while (take() == ',');
    }

    const JsonStructure& json_;
    std::size_t at_ = 0;
};

/// From a container's first character to the value of its member or element number `ordinal`.
void enter(Cursor& cursor, std::size_t ordinal) {
    const std::size_t before_value = cursor.is_object() ? key_and_colon : 0;
    for (std::size_t k = 0; !cursor.done(); ++k) {
        cursor.step(1 + before_value);  // after the opening character, or a comma
        if (k == ordinal) return;
        cursor.skip_value();
    }
}

constexpr bool is_whitespace(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// The value that begins here, as written; leaves the cursor after it.
std::string_view take_value(Cursor& cursor, const JsonStructure& json) {
    const std::size_t begin = cursor.offset();
    cursor.skip_value();
    std::size_t end = std::max(begin, cursor.offset());  // of what comes next: a comma, a bracket or nothing
    while (end > begin && is_whitespace(json.text[end - 1])) --end;
    return json.text.substr(begin, end - begin);
}

}  // namespace

std::string_view value_at(const JsonStructure& json, std::span<const std::size_t> ordinals) {
    Cursor cursor(json);
    for (const std::size_t ordinal : ordinals) enter(cursor, ordinal);
    return take_value(cursor, json);
}

std::vector<std::string_view> elements_at(const JsonStructure& json, std::span<const std::size_t> ordinals) {
    std::vector<std::string_view> elements;
    Cursor cursor(json);
    for (const std::size_t ordinal : ordinals) enter(cursor, ordinal);
    cursor.step();  // after the bracket
    while (!cursor.done() && json.text[cursor.offset()] != ']') {
        elements.push_back(take_value(cursor, json));
        if (!cursor.done() && json.text[cursor.offset()] == ',') cursor.step();
    }
    return elements;
}

std::size_t nesting_of(std::string_view text) {
    std::int64_t open = 0;
    std::int64_t most = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (in_string && text[i] == '\\')
            ++i;  // what it escapes
        else if (text[i] == '"')
            in_string = !in_string;
        else if (!in_string)
            open = std::max<std::int64_t>(0, open + opened_by(text[i]));
        most = std::max(most, open);
    }
    return static_cast<std::size_t>(most);
}

}  // namespace sluice::webhook
