#pragma once

#include <string_view>

#include "consumer/apply/event.hpp"

namespace sluice::consumer {

/// An event that an operator lets in, whose inbox row was inserted in this transaction. The views outlive it.
struct Newcomer {
    const Item& item;
    store::InboxKey inbox;
    std::string_view object_key;
    std::string_view topic;  ///< that its record came from
    std::string_view body;
    bool edited = false;  ///< the body is an operator's
};

/// Puts it at the tail of its object's lane: due now with the lane armed, or parked behind what holds it.
[[nodiscard]] Result<void> let_in_lane(const Newcomer& newcomer, const Rules& rules,
                                       store::Connection& connection, WallTime now);

}  // namespace sluice::consumer
