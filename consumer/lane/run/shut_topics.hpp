#pragma once

#include <map>
#include <string>

#include "common/clock.hpp"

namespace sluice::consumer {

/// Not every lane in turn waits for a topic that takes nothing: a report is awaited for seconds, and a worker
/// with a thousand owed records would do nothing else. Dead letters that are refused for themselves are
/// remembered in the same way, by their ids. Pure; one thread's.
class ShutTopics {
public:
    /// The first refusal shuts a topic for half a second, each further one for twice as long, up to 30 s.
    void refused(const std::string& topic, SteadyTime now);
    void took(const std::string& topic) { shut_.erase(topic); }
    /// Whether to try at all.
    [[nodiscard]] bool is_open(const std::string& topic, SteadyTime now) const;

private:
    struct Shut {
        SteadyTime until{};
        Milliseconds wait{};
    };
    std::map<std::string, Shut, std::less<>> shut_;
};

}  // namespace sluice::consumer
