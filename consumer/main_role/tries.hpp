#pragma once

#include <cstddef>
#include <map>
#include <utility>

#include "consumer/record/record.hpp"

namespace sluice::consumer {

/// The attempts of events that are dropped and read again, so that a failing event comes to its lane as soon
/// as it would have without that. By partition and offset, five thousand at most; beyond that an event counts
/// as new, as one of another leader epoch does: that is another record. Pure; one worker's.
class Tries {
public:
    /// It is dropped.
    void keep(const Item& item);
    /// It is there again: as it was.
    void give_back(Item& item);

private:
    struct Tried {
        std::int32_t leader_epoch;
        Failures failures;
    };
    static constexpr std::size_t most = 5000;  // more than a worker has in its hands

    std::map<std::pair<std::int32_t, std::int64_t>, Tried> tried_;
};

}  // namespace sluice::consumer
