#include "common/webhook/body/json_scan.hpp"

#include <cstring>

namespace sluice::webhook {

namespace {

/// The end of a token that has white space before the next one, which begins at `next`.
const char* end_of_token(const char* token, const char* next) {
    if (*token == ',' || *token == ':') return token + 1;
    while (JsonTokens::is_space(next[-1])) --next;
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

std::string_view written_at(const JsonTokens& json, JsonExtent value) {
    if (!JsonTokens::opens(json.first_of(value.first))) return json.scalar(value.first);
    const std::size_t begin = json.places[value.first];
    return json.text.substr(begin, json.places[value.after - 1] + 1 - begin);
}

std::vector<std::string_view> elements_at(const JsonTokens& json, JsonExtent array) {
    std::vector<std::string_view> elements;
    for (TokenNumber at = array.first + 1; at + 1 < array.after;) {
        const TokenNumber after = json.after(at);
        elements.push_back(written_at(json, {at, after}));
        at = after + 1;  // a comma, or the closing bracket
    }
    return elements;
}

std::string_view without_space(const JsonTokens& json, JsonExtent value, char* target) {
    if (value.after - value.first == 1) return json.scalar(value.first);
    const char* const text = json.text.data();
    const char* token = text + json.places[value.first];
    const char* begin = token;  // of what is not copied yet
    char* out = target;
    for (const std::uint32_t place : json.places.subspan(value.first + 1, value.after - value.first - 1)) {
        const char* const next = text + place;
        if (JsonTokens::is_space(next[-1])) {
            out = append(out, begin, end_of_token(token, next));
            begin = next;
        }
        token = next;
    }
    out = append(out, begin, token + 1);
    return {target, static_cast<std::size_t>(out - target)};
}

}  // namespace sluice::webhook
