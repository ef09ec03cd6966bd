#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/clock.hpp"
#include "consumer/store/inbox/inbox.hpp"

namespace sluice::ctl {

/// A finished event that is to be run again, with what its command and its turn need.
struct RerunTarget {
    store::InboxKey key;
    std::string object_key;
    std::string topic;
    std::int32_t partition = 0;
    std::int64_t offset = 0;
    WallTime received_at{};
    WallTime log_began{};  ///< `into_turns` has it: the first receipt in the log that it is of
};

/// Into the order in which each object's events were applied: log after log, by offset. Within one log
/// offsets decide, since clocks of several ingress pods differ and requests overtake each other. A topic that
/// was recreated counts from zero again: a lower offset that was received more than a minute later is of a
/// newer log. Pure.
void into_turns(std::vector<RerunTarget>& targets);

}  // namespace sluice::ctl
