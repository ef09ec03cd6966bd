#include "common/webhook/body/json_scan.hpp"

#include <algorithm>
#include <cstring>

namespace sluice::webhook {

namespace {

/// Between the tokens of valid JSON nothing else is as small, and no token ends with what is.
constexpr bool is_space(char c) {
    return static_cast<unsigned char>(c) <= ' ';
}

/// The end of a token that has white space before the next one, which begins at `next`.
const char* end_of_token(const char* token, const char* next) {
    if (*token == ',' || *token == ':') return token + 1;
    while (is_space(next[-1])) --next;
    return next;
}

/// Copies more than asked: short texts take no call, and what follows is overwritten or left out.
char* append(char* target, const char* begin, const char* end) {
    char* out = target;
    const char* in = begin;
    do {
        std::memcpy(out, in, copied_at_once);
        out += copied_at_once;
        in += copied_at_once;
    } while (in < end);
    return target + (end - begin);
}

}  // namespace

const std::uint32_t* JsonCursor::after_values(const char* text, const std::uint32_t* at, std::size_t before) {
    JsonCursor cursor(text, at);
    if (closes(text[*at])) return at + 1;
    do {
        cursor.step(before);
        cursor.skip_value();
    } while (cursor.take() == ',');
    return cursor.at_;
}

std::string_view written_at(const JsonStructure& json, JsonExtent value) {
    const std::size_t begin = value.front();
    if (value.size() > 1) return json.text.substr(begin, value.back() + 1 - begin);
    const bool is_last = value.data() + 1 == json.places.data() + json.places.size();
    std::size_t end = is_last ? json.text.size() : value.data()[1];
    while (end > begin && is_space(json.text[end - 1])) --end;
    return json.text.substr(begin, end - begin);
}

std::vector<std::string_view> elements_at(const JsonStructure& json, JsonExtent array) {
    std::vector<std::string_view> elements;
    if (array.size() == 2) return elements;
    JsonCursor cursor(json.text.data(), array.data());
    do {
        cursor.step();  // the bracket, or a comma
        const auto* const begin = cursor.at();
        cursor.skip_value();
        elements.push_back(written_at(json, {begin, cursor.at()}));
    } while (cursor.stands_on(','));
    return elements;
}

std::string_view without_space(const JsonStructure& json, JsonExtent value, char* target) {
    if (value.size() == 1) return written_at(json, value);
    const char* const text = json.text.data();
    const char* token = text + value.front();
    const char* begin = token;  // of what is not copied yet
    char* out = target;
    for (const std::uint32_t place : value.subspan(1)) {
        const char* const next = text + place;
        if (is_space(next[-1])) {
            out = append(out, begin, end_of_token(token, next));
            begin = next;
        }
        token = next;
    }
    out = append(out, begin, token + 1);
    return {target, static_cast<std::size_t>(out - target)};
}

std::size_t nesting_of(std::string_view text) {
    std::size_t open = 0;
    std::size_t most = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (in_string && text[i] == '\\')
            ++i;  // what it escapes
        else if (text[i] == '"')
            in_string = !in_string;
        else if (!in_string && JsonCursor::opens(text[i]))
            most = std::max(most, ++open);
        else if (!in_string && JsonCursor::closes(text[i]) && open > 0)
            --open;
    }
    return most;
}

}  // namespace sluice::webhook
