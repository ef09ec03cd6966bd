#pragma once

#include <array>
#include <string>

#include "common/telemetry/metrics.hpp"

namespace sluice::command {

/// Replies by their class of status: what became of a command is counted by its executor. Thread-safe.
class ReplyCounters {
public:
    explicit ReplyCounters(Metrics& metrics) {
        for (std::size_t status = 2; status < by_class_.size(); ++status)
            by_class_[status] = &metrics.counter("sluice_command_replies_total", "Replies, by their status",
                                                 {{"status", std::to_string(status) + "xx"}});
    }
    /// `status`: 200 to 599.
    void count(int status) { by_class_.at(static_cast<std::size_t>(status) / 100)->Increment(); }

private:
    std::array<Counter*, 6> by_class_{};
};

}  // namespace sluice::command
