#pragma once

#include <string_view>

#include "common/clock.hpp"
#include "common/record/event_record.hpp"

namespace sluice::webhook {

/// What an authentic request says about its events besides their own facts, which `extract` reads.
struct Arrival {
    WallTime received_at{};
    std::string_view key_id;  ///< of the key that matched
    std::string_view traceparent;
    std::string_view tracestate;
};

/// With it, the headers of an extracted event are all that its record carries.
void complete(record::EventHeaders& headers, const Arrival& arrival);

}  // namespace sluice::webhook
