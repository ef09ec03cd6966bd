#pragma once

#include <string_view>

#include "common/webhook/body/form.hpp"
#include "common/webhook/signature/signed_inputs.hpp"

namespace sluice::webhook {

/// The body's fields. Check::body_grammar; Check::repeated_field where all fields are signed.
[[nodiscard]] Checked read_form(const Program& program, std::string_view body, Form& form);

/// The one value of a field, or the text that all fields make; `value` lives as long as the form's. A field
/// without a value counts as absent, and that of the signature as no signature.
[[nodiscard]] Checked collect_field(const Program& program, const Input& input, Form& form,
                                    std::string_view& value);

}  // namespace sluice::webhook
