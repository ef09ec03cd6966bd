#pragma once

#include <span>
#include <string>
#include <string_view>

#include "consumer/record/record.hpp"
#include "consumer/store/lane/lane.hpp"

namespace sluice::consumer {

/// An event that an operator lets in and whose payment is noted, whose inbox row was inserted or reopened in
/// this transaction. The views outlive it.
struct Newcomer {
    const Item& item;
    store::InboxKey inbox;
    std::string_view object_key;
    std::string_view topic;  ///< that its record came from
    std::string_view body;
    bool edited = false;                     ///< the body is an operator's
    std::span<const std::string> effects{};  ///< names of those that it is to have
    std::string_view had_effects{};          ///< of a rerun: effects_text of those that it had; empty: none
};

/// Puts it at the tail of its object's lane: due now with the lane armed, or parked behind what holds it.
[[nodiscard]] Result<void> let_in_lane(const Newcomer& newcomer, store::Connection& connection, WallTime now);

}  // namespace sluice::consumer
