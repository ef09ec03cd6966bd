#pragma once

#include <string>

#include "consumer/effects/value/operand.hpp"

namespace sluice::effects {

/// What a receiver knows a message by: 32 bytes, the same however often the event is applied or the message
/// is sent. SHA-256 over the event's dedup key, its content's digest (an operator may let a second event of
/// one id in), the effect's name and the message's place in the effect.
class IdempotencyKey final : public MadeValue {
public:
    IdempotencyKey(std::string effect, std::size_t place) : effect_{std::move(effect)}, place_{place} {}

    [[nodiscard]] Result<store::Datum> make(const EventValues& event,
                                            std::pmr::memory_resource& made) const override;

private:
    std::string effect_;
    std::size_t place_;
};

}  // namespace sluice::effects
