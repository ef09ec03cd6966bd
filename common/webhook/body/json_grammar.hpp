#pragma once

#include <string_view>

#include "common/webhook/body/json_tokens.hpp"

/// The grammar of RFC 8259, of text whose tokens have been found. Pure.
namespace sluice::webhook {

/// Whether the tokens are one value and nothing else, with at most `most_nested` containers inside each
/// other; what is in strings is not looked at. Writes to `ends` what `JsonTokens::ends` says; it has room for
/// as many as there are tokens.
[[nodiscard]] bool is_document(const JsonTokens& tokens, TokenNumber* ends);

/// Finds the first and the last escape, in a text whose backslashes are all in strings. False where one is
/// none that JSON has. A half of a surrogate pair is one.
[[nodiscard]] bool find_escapes(JsonTokens& tokens);

}  // namespace sluice::webhook
