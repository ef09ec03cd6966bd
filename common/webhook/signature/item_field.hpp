#pragma once

#include <optional>
#include <string_view>

#include "common/webhook/body/json_view.hpp"
#include "common/webhook/signature/signed_inputs.hpp"

namespace sluice::webhook {

/// A field of one item that takes part in its signature: text, or an integer where the recipe says so.
[[nodiscard]] std::optional<Finding> collect_item_field(const Input& input, const JsonView& item,
                                                        SignedInputs& inputs, std::string_view& value);

}  // namespace sluice::webhook
