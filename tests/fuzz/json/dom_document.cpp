#include "tests/fuzz/json/dom_document.hpp"

#include <algorithm>

#include "common/webhook/body/json_tokens.hpp"
#include "tests/fuzz/json/json_mask.hpp"

namespace sluice::fuzz {
namespace {

using webhook::JsonTokens;
using webhook::most_nested;

/// How many containers are open at once in `text`, if it is JSON.
std::size_t nesting_of(std::string_view text) {
    std::size_t open = 0;
    std::size_t most = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (in_string && text[i] == '\\')
            ++i;  // what it escapes
        else if (text[i] == '"')
            in_string = !in_string;
        else if (!in_string && JsonTokens::opens(text[i]))
            most = std::max(most, ++open);
        else if (!in_string && JsonTokens::closes(text[i]) && open > 0)
            --open;
    }
    return most;
}

bool is_of_value(simdjson::error_code error) {
    return error == simdjson::NUMBER_ERROR || error == simdjson::BIGINT_ERROR ||
           error == simdjson::STRING_ERROR;
}

}  // namespace

simdjson::error_code DomDocument::parse(std::size_t depth) {
    if (const auto error = parser_.allocate(std::max<std::size_t>(parser_.capacity(), 4096), depth))
        return error;
    return parser_.parse(text_).get(root_);
}

// simdjson counts an empty innermost container as one level less.
simdjson::error_code DomDocument::parse_bounded() {
    const auto error = parse(most_nested);
    if (error != simdjson::DEPTH_ERROR || nesting_of(text_) > most_nested) return error;
    return parse(most_nested + 1);
}

bool DomDocument::read(std::string_view body) {
    is_masked_ = false;
    if (body.starts_with("\xEF\xBB\xBF")) return false;
    text_ = body;
    auto error = parse_bounded();
    is_masked_ = is_of_value(error) && mask_beyond_dom(body, text_.data()) > 0;
    if (is_masked_) error = parse_bounded();
    return error == simdjson::SUCCESS;
}

}  // namespace sluice::fuzz
