#include "common/webhook/extract/arrival.hpp"

namespace sluice::webhook {

void complete(record::EventHeaders& headers, const Arrival& arrival) {
    headers.received_at = arrival.received_at;
    headers.key_id = arrival.key_id;
    headers.traceparent = arrival.traceparent;
    headers.tracestate = arrival.tracestate;
}

}  // namespace sluice::webhook
