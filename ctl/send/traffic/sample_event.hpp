#pragma once

#include <cstdint>
#include <string>

namespace sluice::ctl {

/// The facts of one made-up event; a template (ctl/samples) turns them into a body. Small, since a run
/// may plan a million of them.
struct SampleEvent {
    std::string type;
    std::string id;
    std::string object;  ///< what its order is kept for: payment intent, invoice, customer, meter
    std::string charge;  ///< of a payment
    std::string customer;
    std::int64_t amount = 0;  ///< minor units
    std::int64_t before = 0;  ///< a running total before and after this event
    std::int64_t after = 0;
    std::int64_t step = 1;     ///< which one of its kind this is for its object, from 1
    std::int64_t created = 0;  ///< unix seconds
};

}  // namespace sluice::ctl
