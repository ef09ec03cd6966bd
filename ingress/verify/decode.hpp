#pragma once

#include <string_view>

#include "common/result.hpp"
#include "ingress/verify/json_view.hpp"
#include "ingress/verify/source.hpp"

namespace sluice::verify {

/// Fills `view` with the JSON view of a body under the source's recipe: JSON as it is (later
/// recipes: form and XML fields as strings, encrypted resources decrypted with the source's keys).
/// errc::unreadable_body otherwise. Used by the extractor, the consumer's effects and sluicectl.
[[nodiscard]] Result<void> decode(const Source& source, std::string_view body, JsonView& view);

}  // namespace sluice::verify
