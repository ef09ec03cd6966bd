#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "common/webhook/body/json_view.hpp"
#include "common/webhook/recipe/body_test.hpp"
#include "common/webhook/recipe/extraction.hpp"
#include "common/webhook/recipe/fact.hpp"

namespace sluice::webhook {

/// What an event can say of a payment. Closed: effects name them under `when.payment`.
inline constexpr std::array<std::string_view, 9> payment_kinds{
    "authorized",     ///< the money is held for the merchant, not taken
    "paid",           ///< the money is taken, or will be without further doing
    "failed",         ///< this attempt came to nothing; another one may follow
    "closed",         ///< it will not be paid any more: expired, cancelled, voided
    "refunded",       ///< all or a part went back
    "refund_failed",  ///< a refund that was asked for, or even reported, did not happen
    "disputed",       ///< the payer's bank asks for the money back
    "dispute_won",    ///< the merchant keeps it
    "dispute_lost",
};

/// Of a case whose kind nobody can tell from what is signed.
inline constexpr std::string_view unknown_payment = "unknown";

/// Where an amount of money stands: the first place with a value counts.
struct AmountField {
    enum class Unit {
        minor,  ///< whole minor units, as an integer or as digits in text
        major,  ///< decimal, as text or as a JSON number, whose digits are read as they are written
    };
    std::vector<Pointer> at;
    Unit unit = Unit::minor;
    bool optional = false;
};

/// Where the facts of one kind stand; what is empty is not said.
struct PaymentFields {
    Facts reference;             ///< the merchant's order number
    Facts transaction;           ///< the provider's number of the payment
    Facts refund;                ///< the number of this refund
    AmountField amount;          ///< of this event: of a refund, the part that went back
    AmountField refunded_total;  ///< of all refunds of the payment so far
    Facts currency;              ///< ISO 4217, as a code or a number
    std::vector<TimeField> paid_at;
    Facts payer;
};

/// Those that are texts. `Fields` is PaymentFields, const or not.
template <class Fields>
[[nodiscard]] auto text_facts(Fields& fields) {
    return std::array{&fields.reference, &fields.transaction, &fields.refund, &fields.currency,
                      &fields.payer};
}

struct PaymentCase {
    /// One of payment_kinds, or unknown_payment. Empty (`none`): nothing, whatever the cases below say.
    std::string kind;
    std::vector<BodyTest> when;
    std::string setting{};  ///< of the source, which must be `setting_is`; empty: any source's
    std::string setting_is{};
    PaymentFields fields;
};

/// `payment:` of a recipe: the first case whose tests all hold is what an event says. None: it says nothing
/// of a payment.
struct PaymentRule {
    std::vector<PaymentCase> cases;
    /// Digits of the minor unit where the provider has others than ISO 4217 (Stripe's ISK has 2), by code.
    std::map<std::string, int, std::less<>> exponents;
};

}  // namespace sluice::webhook
