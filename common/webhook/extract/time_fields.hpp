#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
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

/// One value in a form of the field, wherever it stands: a text (digits where the field has only unix forms),
/// or a whole number. errc as above.
[[nodiscard]] Result<WallTime> time_in(std::string_view text, const TimeField& field);
[[nodiscard]] Result<WallTime> time_in(std::int64_t number, const TimeField& field);

}  // namespace sluice::webhook
