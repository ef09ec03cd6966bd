#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace sluice::redact {

using Json = nlohmann::ordered_json;

/// A body of any bytes as people may see it: card numbers (card_numbers.hpp), e-mail addresses and IBANs
/// (personal_text.hpp) and the values of keys that name a secret (secret_names.hpp) or personal data
/// (personal_names.hpp; of an account number the last four digits stay) are hidden. JSON is read and written
/// again, so that no escape in it hides a digit; of a key that occurs twice the last is shown. What cannot be
/// read as JSON is masked as text; what is nested more than a hundred deep is not shown. Pure.
[[nodiscard]] std::string masked_body(std::string_view body);
/// The same in little room, to be kept: JSON on one line, other bytes as they are.
[[nodiscard]] std::string masked_to_keep(std::string_view body);
[[nodiscard]] Json masked_json(const Json& value);

/// For what errors say, which may quote a body.
[[nodiscard]] std::string masked_text(std::string_view text);

/// Headers of a record: the same by name and value.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> masked_headers(
    const std::vector<std::pair<std::string, std::string>>& headers);

/// Bytes that a terminal would act upon, and those that are no text, as \xNN; line ends and tabs stay.
[[nodiscard]] std::string without_control_bytes(std::string_view text);

}  // namespace sluice::redact
