#pragma once

#include <deque>
#include <optional>

#include "common/clock.hpp"
#include "consumer/retry_role/topic_ends.hpp"

namespace sluice::consumer {

/// How many events a second come into a topic, by looks at its ends: an average over two minutes. One
/// thread's.
class ArrivalRate {
public:
    /// Begins again where a look cannot be compared with the last one: at other partitions, since one that
    /// has a leader again brings old events with it, and at a lower end, since the log was cut or is another
    /// one.
    void saw(SteadyTime now, TopicEnds ends);

    /// Nothing until the looks are half a minute apart.
    [[nodiscard]] std::optional<double> per_second() const;

private:
    struct Look {
        SteadyTime at;
        std::int64_t sum;
    };
    std::deque<Look> looks_;  // the first is the youngest that is two minutes old, if there is one
    TopicEnds last_;
};

/// The pods that `rate` needs where one is to do `pod_rate`: the least number that gives each pod as many of
/// the topic's partitions. At most one for each partition.
[[nodiscard]] int pods_for(double rate, int pod_rate, int partitions);

}  // namespace sluice::consumer
