#pragma once

#include <optional>
#include <string>

#include "common/webhook/body/body_rule.hpp"
#include "common/webhook/body/form.hpp"

namespace sluice::webhook {

/// Adds a JSON object with every field of the form as a string, in the order of the body. `charset` is the
/// field that names the charset of all values, if any. False for values that are not valid in it. A name that
/// occurs twice occurs twice in the object. Fields that `sorted` leaves out are left out here too.
[[nodiscard]] bool append_json_object(std::string& json, const Form& form, std::string_view charset,
                                      const std::optional<SortedForm>& sorted = {});

}  // namespace sluice::webhook
