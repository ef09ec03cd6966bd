#pragma once

#include <optional>
#include <string>
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

/// The same of a body that an operator edited. Where it has the encrypted part opened, in a member
/// `decrypted`, that stands and nothing is decrypted. Never for what came from outside: only a signature
/// covers what is in there.
[[nodiscard]] Result<void> decode_edited(const Source& source, std::string_view body, JsonView& view);

/// A body with its encrypted part opened, in a member `decrypted` in front: what `decode` reads, as text.
/// nullopt where the recipe encrypts nothing, or the body has such a member already (an operator's).
[[nodiscard]] Result<std::optional<std::string>> opened_body(const Source& source, std::string_view body);

}  // namespace sluice::webhook
