#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::ctl {

/// The fields of a form, in order.
using FormFields = std::vector<std::pair<std::string, std::string>>;

/// As application/x-www-form-urlencoded (WHATWG URL, section 5.2).
[[nodiscard]] std::string form_text(const FormFields& fields);
[[nodiscard]] std::string form_encoded(std::string_view text);

/// Nothing where `body` is no form.
[[nodiscard]] FormFields form_fields(std::string_view body);

/// One field more, at the end.
void append_field(std::string& body, std::string_view name, std::string_view value);
/// Another value for the fields of that name.
void replace_field(std::string& body, std::string_view name, std::string_view value);

}  // namespace sluice::ctl
