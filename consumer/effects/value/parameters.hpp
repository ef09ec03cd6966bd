#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "common/config/section.hpp"
#include "common/record/event_record.hpp"
#include "common/result.hpp"
#include "common/webhook/body/json_view.hpp"
#include "common/webhook/payment/payment.hpp"
#include "consumer/store/driver/connection.hpp"

namespace sluice::effects {

enum class ParameterType {
    text,     ///< a JSON string
    int64,    ///< a JSON integer inside int64: amounts are minor units, never 12.0 nor 1e2
    boolean,  ///< a JSON boolean, as 1 or 0
    time,     ///< a JSON integer of Unix seconds, or a string of RFC 3339, as DATETIME(6) in UTC
};

/// What effects read of an event: its body, and what that says of a payment (nullptr: nothing).
struct EventBody {
    const webhook::JsonView& json;
    const webhook::Payment* payment = nullptr;
};

/// One entry of `let`: a value of the event's body under a name. JSON null counts as not there. Or a fact of
/// the payment, which an effect for payments has without a `let`.
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
    std::optional<webhook::PaymentFact> fact{};  ///< instead of `pointer`
};

/// `let:` of an effect: name → pointer, or name → {pointer, as, optional, minus}; `minus` is a pointer or
/// {pointer, optional}. What is wrong goes to the value's problems.
[[nodiscard]] std::vector<Parameter> read_parameters(const config::Value& let);

/// The index of :name in `let`. A fact of a payment is added to it where there is one, `has_payment`; its own
/// entries come first. nullopt: there is none.
[[nodiscard]] std::optional<std::size_t> find_parameter(std::vector<Parameter>& let, std::string_view name,
                                                        bool has_payment);
/// The sentence for a :name that is neither built in nor found.
[[nodiscard]] std::string unknown_parameter(std::string_view name);

/// The names that every statement has without a `let`; a `let` must not take one of them.
///   :event_id :event_type :source :provider :principal as text; :object as text, NULL without one;
///   :livemode as 1 or 0; :received_at, :occurred_at as DATETIME(6) in UTC, the latter NULL without one.
[[nodiscard]] bool is_built_in(std::string_view name) noexcept;

/// The value of a built-in name. Views are of `headers`.
[[nodiscard]] store::Datum built_in_value(std::string_view name, const record::EventHeaders& headers);

/// The parameter's value for this body: errc::missing_pointer, wrong_type, out_of_range (also a difference
/// outside int64, or a time outside the years 1 to 9999), duplicate_key: the event parks. A fact with trouble
/// is wrong_type, one that is not said is missing_pointer. Views are of `body`.
[[nodiscard]] Result<store::Datum> value_of(const Parameter& parameter, const EventBody& body);

/// Whether a fact that an event does not say is NULL: without a time or a payer a payment is still that
/// payment. Any other parks the event.
[[nodiscard]] bool may_be_null(webhook::PaymentFact fact) noexcept;

/// Why there is no value: ":amount (/data/amount): …", of a payment with what stands there.
[[nodiscard]] std::string why_no_value(const Parameter& parameter, std::error_code error,
                                       const EventBody& body);

}  // namespace sluice::effects
