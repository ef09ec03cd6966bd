#pragma once

#include <string>
#include <string_view>

namespace sluice::redact {

/// Pure. Whether a key (of JSON, of a form, of a header) names something that must not appear on a screen:
/// it contains secret, token, password, signature, authorization, cvc, cvv, api key, private key or card
/// number, in any case and with anything between the words; percent-encoding is decoded.
[[nodiscard]] bool names_a_secret(std::string_view key);

/// The text with the values of such keys, and of those that name personal data (personal_names.hpp), as
/// "***", where it has them as key=value, key: value, "key":"value" or <key>value</key>, and as reasons quote
/// them: (/place/key): "value". For what cannot be read as JSON.
[[nodiscard]] std::string without_named_secrets(std::string_view text);

}  // namespace sluice::redact
