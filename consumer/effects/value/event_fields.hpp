#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/record/event_record.hpp"
#include "consumer/effects/value/conversion.hpp"
#include "consumer/store/driver/connection.hpp"

namespace sluice::effects {

/// The names that every statement has without a `let`; a `let` must not take one of them.
///   :event_id :event_type :source :provider :principal as text; :object as text, NULL without one;
///   :livemode as 1 or 0; :received_at, :occurred_at as DATETIME(6) in UTC, the latter NULL without one.
[[nodiscard]] bool is_built_in(std::string_view name) noexcept;

[[nodiscard]] std::vector<std::string> built_in_names();

/// The value of a built-in name. Views are of `headers`.
[[nodiscard]] store::Datum built_in_value(std::string_view name, const record::EventHeaders& headers);

[[nodiscard]] ParameterType type_of_built_in(std::string_view name) noexcept;

/// NULL where the event has none.
[[nodiscard]] bool built_in_may_be_null(std::string_view name) noexcept;

}  // namespace sluice::effects
