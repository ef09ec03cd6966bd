#pragma once

#include <expected>
#include <map>
#include <memory>
#include <memory_resource>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "common/config/section.hpp"
#include "common/webhook/body/json_view.hpp"
#include "common/webhook/payment/payment.hpp"
#include "consumer/effects/value/conversion.hpp"
#include "consumer/effects/value/event_view.hpp"
#include "consumer/store/driver/connection.hpp"

namespace sluice::effects {

/// One place where the value of a parameter may stand, and what is made of it there.
struct ValueSource {
    enum class From {
        body,      ///< at `pointer`; JSON null counts as not there
        header,    ///< of the request, as the record keeps it
        event,     ///< a built-in name (event_fields.hpp)
        payment,   ///< a fact of the payment
        constant,  ///< `name` itself
    };
    struct Minus {
        webhook::Pointer pointer;
        bool optional = false;  ///< not there: 0
    };
    From from = From::body;
    webhook::Pointer pointer{};
    std::string name{};  ///< of the header as records have it ("http-x-id"), of the event's field
    webhook::PaymentFact fact{};
    Conversion conversion{};
    /// Of the text that is there (a number's or a boolean's as it is written), before it is converted. Empty:
    /// it stays what it is.
    std::map<std::string, std::string, std::less<>> map{};
    std::optional<std::string> fallback{};  ///< for what is not there, or in no line of `map`
    std::optional<Minus> minus{};  ///< int64: what this is reduced by (providers send running totals)
};

class MadeValue;

/// One entry of `let`: a value of an event under a name. Or a fact of the payment, which an effect for
/// payments has without a `let`.
struct Parameter {
    std::string name;
    config::Place place;
    std::vector<ValueSource> from{};  ///< the first that is there counts; all are of one type
    bool optional = false;            ///< not there: NULL
    /// NULL for events of other types; empty: none is left out.
    std::vector<std::string> only_types{};
    std::string column_type{};  ///< SQL; for a column of a mirror, whose table sluice makes
    /// What makes it out of the entries before it; then it stands nowhere (`from` is empty), and is text or
    /// bytes for a column of sluice's own.
    std::shared_ptr<const MadeValue> made{};

    [[nodiscard]] ParameterType type() const;
    /// Digits with a point: `as: decimal` at each place.
    [[nodiscard]] bool is_decimal() const;
    /// The most digits behind the point that a value may have: of `as: decimal`.
    [[nodiscard]] int decimals() const;
};

/// `let:` of an effect: name → source, or a list of them. `has_payment`: it is for payments, whose facts are
/// sources too. What is wrong goes to the value's problems.
[[nodiscard]] std::vector<Parameter> read_parameters(const config::Value& let, bool has_payment);

/// What an entry of `let` may say, read for a parameter of this name.
[[nodiscard]] Parameter read_parameter(std::string name, const config::Value& value, bool has_payment);

/// At load: all that they read of a body is found in one walk through it. Every value stays what it was.
void ask_together(std::vector<Parameter>& let);

/// The index of :name in `let`. A fact of a payment is added to it where there is one, `has_payment`; its own
/// entries come first. nullopt: there is none.
[[nodiscard]] std::optional<std::size_t> find_parameter(std::vector<Parameter>& let, std::string_view name,
                                                        bool has_payment);

/// Why an event has no value for a parameter: it parks.
struct NoValue {
    std::error_code
        error;        ///< errc::missing_pointer, wrong_type, out_of_range, duplicate_key, unreadable_body
    std::string why;  ///< ":cents (/total_amount): "8,88" is no number of digits …"
    bool quotes_event = false;  ///< `why` has the value
};

/// The parameter's value for this event. Texts are views of the event and of the parameter, or lie in `made`.
[[nodiscard]] std::expected<store::Datum, NoValue> value_of(const Parameter& parameter,
                                                            const EventView& event,
                                                            std::pmr::memory_resource& made);

[[nodiscard]] std::optional<webhook::PaymentFact> fact_named(std::string_view name) noexcept;

/// Whether a fact that an event does not say is NULL: without a time or a payer a payment is still that
/// payment. Any other parks the event.
[[nodiscard]] bool may_be_null(webhook::PaymentFact fact) noexcept;
[[nodiscard]] ParameterType type_of(webhook::PaymentFact fact) noexcept;
[[nodiscard]] ParameterType type_of(const ValueSource& source) noexcept;

/// For people: "/data/id", "header X-Id", "event_type".
[[nodiscard]] std::string name_of(const ValueSource& source);

}  // namespace sluice::effects
