#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

#include "payment_event.pb.h"  // protoc --cpp_out=. payment_event.proto

struct Paid {
    std::string order;
    std::int64_t amount;  // minor units
    std::string currency;
};

/// nullopt for what is no payment of real money.
std::optional<Paid> paid(const std::string& message_type, const std::string& value) {
    sluice::v1::PaymentEvent event;
    if (message_type != "sluice.v1.PaymentEvent" || !event.ParseFromString(value))
        throw std::invalid_argument{"no PaymentEvent"};
    const auto& payment = event.payment();
    if (!event.livemode() || payment.kind() != "paid") return std::nullopt;
    if (payment.reference().empty() || !payment.has_amount())
        throw std::invalid_argument{"the provider does not say what was paid"};
    return Paid{payment.reference(), payment.amount(), payment.currency()};
}
