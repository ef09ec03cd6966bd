#pragma once

#include <string_view>

#include "common/result.hpp"
#include "common/webhook/body/json_view.hpp"
#include "common/webhook/recipe/source.hpp"

namespace sluice::webhook {

/// Fills `view` with the JSON view of a body under the source's recipe: JSON as it is, with an
/// encrypted resource under /decrypted as well; a form's fields as strings, or the XML in
/// one of them. errc::unreadable_body otherwise.
/// Used by the extractor, the consumer's effects and sluicectl. `is_padded`: see JsonView::read_padded.
[[nodiscard]] Result<void> decode(const Source& source, std::string_view body, JsonView& view,
                                  bool is_padded = false);

}  // namespace sluice::webhook
