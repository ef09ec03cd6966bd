#include "consumer/effects/send/event_part.hpp"

#include "common/crypto/digest.hpp"
#include "common/trace/context.hpp"

namespace sluice::effects {

store::Datum EventPart::dedup_key(const record::EventHeaders& headers) {
    return store::Bytes{crypto::as_text(headers.dedup_key)};
}

store::Datum EventPart::traceparent(const record::EventHeaders& headers) {
    if (!trace::is_traceparent(headers.traceparent)) return nullptr;
    return std::string_view{headers.traceparent};
}

}  // namespace sluice::effects
