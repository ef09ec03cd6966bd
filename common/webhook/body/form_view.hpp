#pragma once

#include <optional>
#include <string>

#include "common/webhook/body/body_rule.hpp"
#include "common/webhook/body/form.hpp"

namespace sluice::webhook {

/// Adds a JSON object with every field of the form as a string, in the order of the body. `charset` is the
/// field that names the charset of all values, if any. False for values that are no text of it. A name that
/// stands twice stands twice in the object. What `sorted` leaves out is left out, as if it were not there.
[[nodiscard]] bool append_json_object(std::string& json, const Form& form, std::string_view charset,
                                      const std::optional<SortedForm>& sorted = {});

}  // namespace sluice::webhook
