#pragma once

#include <string>
#include <string_view>

namespace sluice::redact {

/// Pure. Of every e-mail address in the text (`@` percent-encoded or not) the part before the `@` keeps its
/// first character: a***@example.com.
[[nodiscard]] std::string without_email_addresses(std::string_view text);

/// Pure. Every IBAN (ISO 13616: country, two check digits, 11 to 30 letters or digits, remainder 1 of 97), in
/// groups or not, keeps its country and its last four characters; the others become '*'.
[[nodiscard]] std::string without_ibans(std::string_view text);

}  // namespace sluice::redact
