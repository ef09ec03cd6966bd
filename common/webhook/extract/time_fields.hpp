#pragma once

#include <optional>
#include <vector>

#include "common/clock.hpp"
#include "common/result.hpp"
#include "common/webhook/body/json_view.hpp"
#include "common/webhook/recipe/extraction.hpp"

namespace sluice::webhook {

/// The instant of the first field that holds one; nothing where all are missing or null.
/// errc::unreadable_body, wrong_type or out_of_range for a value in a form that the recipe does not list or
/// outside the years 1970 to 9999, errc::duplicate_key.
[[nodiscard]] Result<std::optional<WallTime>> first_time(FactReader& reader, const JsonView& view,
                                                         const std::vector<TimeField>& fields);

}  // namespace sluice::webhook
