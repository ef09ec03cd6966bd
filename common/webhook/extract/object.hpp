#pragma once

#include <string_view>
#include <vector>

#include "common/webhook/extract/unread.hpp"
#include "common/webhook/recipe/extraction.hpp"

namespace sluice::webhook {

inline constexpr std::size_t longest_id = 255;

/// The object that an event is about: the text in the first place of `order_by` that holds one, or empty.
/// Lives until the reader's next call. Fails for a text of more than `longest_id` bytes or with control
/// characters, and for a place that stands twice.
[[nodiscard]] Readable<std::string_view> object_of(FactReader& reader, const JsonView& view,
                                                   const std::vector<ObjectField>& order_by);

}  // namespace sluice::webhook
