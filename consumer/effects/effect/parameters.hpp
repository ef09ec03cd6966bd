#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/config/section.hpp"
#include "common/record/event_record.hpp"
#include "common/result.hpp"
#include "common/webhook/body/json_view.hpp"
#include "consumer/store/driver/connection.hpp"

namespace sluice::effects {

enum class ParameterType {
    text,     ///< a JSON string
    int64,    ///< a JSON integer inside int64: amounts are minor units, never 12.0 nor 1e2
    boolean,  ///< a JSON boolean, as 1 or 0
    time,     ///< a JSON integer of Unix seconds, or a string of RFC 3339, as DATETIME(6) in UTC
};

/// One entry of `let`: a value of the event's body under a name. JSON null counts as not there.
struct Parameter {
    struct Minus {
        webhook::Pointer pointer;
        bool optional = false;  ///< not there: 0
    };
    std::string name;
    config::Place place;
    webhook::Pointer pointer;
    ParameterType type = ParameterType::text;
    bool optional = false;  ///< not there: NULL
    std::optional<Minus>
        minus;  ///< int64 only: what this value is reduced by (providers send running totals)
};

/// `let:` of an effect: name → pointer, or name → {pointer, as, optional, minus}; `minus` is a pointer or
/// {pointer, optional}. What is wrong goes to the value's problems.
[[nodiscard]] std::vector<Parameter> read_parameters(const config::Value& let);

/// The names that every statement has without a `let`; a `let` must not take one of them.
///   :event_id :event_type :source :provider :principal as text; :object as text, NULL without one;
///   :livemode as 1 or 0; :received_at, :occurred_at as DATETIME(6) in UTC, the latter NULL without one.
[[nodiscard]] bool is_built_in(std::string_view name) noexcept;

/// The value of a built-in name. Views are of `headers`.
[[nodiscard]] store::Datum built_in_value(std::string_view name, const record::EventHeaders& headers);

/// The parameter's value for this body: errc::missing_pointer, wrong_type, out_of_range (also a difference
/// outside int64, or a time outside the years 1 to 9999), duplicate_key: the event parks. Views are of
/// `body`.
[[nodiscard]] Result<store::Datum> value_of(const Parameter& parameter, const webhook::JsonView& body);

}  // namespace sluice::effects
