#pragma once

#include "consumer/effects/value/operand.hpp"

namespace sluice::effects {

/// What a message keeps of its event's headers, beside what `let` may name.
class EventPart final : public MadeValue {
public:
    using Of = store::Datum (*)(const record::EventHeaders& headers);
    explicit EventPart(Of of) : of_{of} {}

    [[nodiscard]] Result<store::Datum> make(const EventValues& event,
                                            std::pmr::memory_resource&) const override {
        return of_(event.headers);
    }

    static store::Datum day(const record::EventHeaders& headers) { return headers.event_day; }
    static store::Datum dedup_key(const record::EventHeaders& headers);
    /// NULL where it is not well-formed.
    static store::Datum traceparent(const record::EventHeaders& headers);

private:
    Of of_;
};

}  // namespace sluice::effects
