#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "common/clock.hpp"

namespace sluice::consumer {

/// The ends of all of a topic's partitions that can be asked.
struct TopicEnds {
    int partitions = 0;
    std::int64_t sum = 0;
};

/// How many events a second come into a topic, by looks at its ends: an average over two minutes. One
/// thread's.
class ArrivalRate {
public:
    /// Begins again where a look cannot be compared with the last one: at another number of partitions, and
    /// at a lower sum, since the topic was created again or its log was cut.
    void saw(SteadyTime now, TopicEnds ends);

    /// Nothing until the looks are half a minute apart.
    [[nodiscard]] std::optional<double> per_second() const;

private:
    struct Look {
        SteadyTime at;
        TopicEnds ends;
    };
    std::deque<Look> looks_;  // the first is the youngest that is two minutes old, if there is one
};

/// The pods that `rate` needs where one is to do `pod_rate`: the least number that gives each pod as many of
/// the topic's partitions. At most one for each partition.
[[nodiscard]] int pods_for(double rate, int pod_rate, int partitions);

}  // namespace sluice::consumer
