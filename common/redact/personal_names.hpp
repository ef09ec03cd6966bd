#pragma once

#include <string_view>

namespace sluice::redact {

/// Pure. Whether a key (of JSON, of a form) names personal data: a person's name, e-mail address, telephone,
/// postal address or date of birth, an account number or IBAN. Words count whole, in any case, as snake_case,
/// camelCase and form brackets divide them: `holderName` does, `filename` and `event_name` do not.
[[nodiscard]] bool names_personal_data(std::string_view key);

}  // namespace sluice::redact
