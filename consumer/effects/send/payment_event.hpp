#pragma once

#include <array>
#include <cstddef>
#include <memory>

#include "common/webhook/payment/payment.hpp"
#include "consumer/effects/value/operand.hpp"

namespace sluice::effects {

/// `body: payment_event`: a PaymentEvent (proto/payment_event.proto) of what the record's headers say, of its
/// place and of all facts that the recipe reads, no matter what `let` calls so. The same bytes however often
/// the event is applied.
class PaymentEventBody final : public MadeValue {
public:
    /// Adds the facts to `names`, so that one that cannot be read parks its event as others do.
    [[nodiscard]] static std::shared_ptr<const PaymentEventBody> read(NameScope& names, bool with_body);

    /// errc::out_of_range where it would be longer than MessageBody::longest, errc::undecodable where a text
    /// is not UTF-8: no receiver could parse it.
    [[nodiscard]] Result<store::Datum> make(const EventValues& event,
                                            std::pmr::memory_resource& made) const override;
    [[nodiscard]] bool has_whole_body() const noexcept override { return with_body_; }

private:
    std::array<std::size_t, webhook::payment_facts.size()> facts_{};  ///< where each is in `let`
    bool with_body_ = false;
};

}  // namespace sluice::effects
