#pragma once

#include "common/record/event_record.hpp"
#include "common/time_text.hpp"

namespace sluice::record::test {

/// An event that has all that an event can have, each with a value of its own.
[[nodiscard]] inline EventHeaders event_with_everything() {
    EventHeaders event;
    event.source = "stripe-eu";
    event.provider = "stripe";
    event.principal = "H\u00e4ndler";
    event.livemode = true;
    event.event_id = "evt_1";
    event.type = "payment_intent.succeeded";
    event.object = "pi_1";
    event.occurred_at = from_rfc3339("2026-11-21T19:03:21.000001Z");
    event.content_type = "application/json";
    event.dedup_key.fill(0xAB);
    event.content_digest.fill(0x01);
    event.event_day = day_from_text("2026-11-21").value();
    event.received_at = from_rfc3339("2026-11-21T19:03:22.123456Z").value();
    event.key_id = "2026-10";
    event.keys = "0123456789abcdef";
    event.trust = "crc";
    event.item = 3;
    event.original.emplace().fill(0x7F);
    event.client = "192.0.2.17";
    event.traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    event.tracestate = "vendor=1";
    event.http = {{"stripe-signature", "t=1,v1=ab"}, {"x", std::string{"a\0\xFF=", 4}}, {"x", ""}};
    return event;
}

}  // namespace sluice::record::test
