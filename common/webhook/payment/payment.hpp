#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "common/clock.hpp"
#include "common/result.hpp"
#include "common/webhook/body/json_view.hpp"
#include "common/webhook/recipe/payment_rule.hpp"

namespace sluice::webhook {

enum class PaymentFact {
    kind,
    reference,
    transaction,
    refund,
    amount,
    refunded_total,
    currency,
    paid_at,
    payer
};
/// By PaymentFact: what they are called, also as parameters of effects.
inline constexpr std::array<std::string_view, 9> payment_facts{"payment",  "reference", "transaction",
                                                               "refund",   "amount",    "refunded_total",
                                                               "currency", "paid_at",   "payer"};

/// One fact as an event has it.
struct PaymentValue {
    /// Text has at most 255 bytes and no control characters. An amount is in the minor units of ISO 4217, a
    /// currency is its code there where that lists it. monostate: the event does not say.
    std::variant<std::monostate, std::string, std::int64_t, WallTime> value{};
    std::string trouble{};  ///< why it cannot be read, with the place and the value; empty: it can
};

/// What an event says of a payment.
struct Payment {
    std::array<PaymentValue, payment_facts.size()> values;

    [[nodiscard]] const PaymentValue& operator[](PaymentFact fact) const {
        return values[static_cast<std::size_t>(fact)];
    }
    [[nodiscard]] PaymentValue& operator[](PaymentFact fact) {
        return values[static_cast<std::size_t>(fact)];
    }
};

/// The case of an event, nullptr where it says nothing of a payment. errc::not_said where the recipe knows
/// that nobody can tell, errc::duplicate_key or unreadable_body where the body does not say which.
[[nodiscard]] Result<const PaymentCase*> case_of(const PaymentRule& rule, const JsonView& body);

/// The numbers by which people know a payment. Empty: the event does not say, or it cannot be read.
struct PaymentNumbers {
    std::string reference;    ///< the merchant's, of the order
    std::string transaction;  ///< the provider's
};

/// Both facts as `payment_of` has them, without the others.
[[nodiscard]] PaymentNumbers numbers_of(const PaymentCase& its, const JsonView& body);

/// The facts of an event of this case, all of them. Never fails: each fact has its own trouble.
[[nodiscard]] Payment payment_of(const PaymentRule& rule, const PaymentCase& its, const JsonView& body);

}  // namespace sluice::webhook
