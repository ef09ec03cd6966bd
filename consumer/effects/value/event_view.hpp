#pragma once

#include <span>

#include "common/record/event_record.hpp"
#include "common/webhook/body/json_view.hpp"
#include "common/webhook/payment/payment.hpp"

namespace sluice::effects {

/// What a record says besides the facts that the ingress made of it.
struct EventBody {
    const webhook::JsonView& json;
    const webhook::Payment* payment = nullptr;      ///< nullptr: it says nothing of a payment
    std::span<const record::HeaderView> headers{};  ///< all of the record
};

/// One event as effects see it. The body's view is filled lazily by the caller before `run`.
struct EventView {
    const record::EventHeaders& headers;
    EventBody body;
};

}  // namespace sluice::effects
