#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "common/record/event_record.hpp"
#include "common/webhook/body/json_view.hpp"
#include "common/webhook/payment/payment.hpp"

namespace sluice::effects {

/// Where an event's record lies; with an empty topic that is not known.
struct RecordPlace {
    std::string_view topic{};
    std::int32_t partition = 0;
    std::int64_t offset = 0;
};

/// What a record says besides the facts that the ingress made of it.
struct EventBody {
    const webhook::JsonView& json;
    const webhook::Payment* payment = nullptr;      ///< nullptr: it says nothing of a payment
    std::span<const record::HeaderView> headers{};  ///< all of the record
    std::string_view bytes{};                       ///< the body as it came, or as an operator edited it
    RecordPlace at{};
};

/// One event as effects see it. The body's view is filled lazily by the caller before `run`.
struct EventView {
    const record::EventHeaders& headers;
    EventBody body;
};

}  // namespace sluice::effects
