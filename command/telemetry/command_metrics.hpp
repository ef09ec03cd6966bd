#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "command/config/command_set.hpp"
#include "command/request/answer.hpp"
#include "command/request/request.hpp"
#include "common/clock.hpp"
#include "common/telemetry/metrics.hpp"

namespace sluice::command {

[[nodiscard]] std::string_view name_of(Answer::Kind kind) noexcept;  ///< closed set, a metric label

/// The series of the execution of commands. Thread-safe.
class CommandMetrics {
public:
    /// `metrics` outlives it.
    CommandMetrics(Metrics& metrics, const CommandSet& set);

    /// `done`, which also counts what it is told, and how long after `request` came. `clock` and this outlive
    /// it.
    [[nodiscard]] std::function<void(Answer)> telling(const Request& request, const Clock& clock,
                                                      std::function<void(Answer)> done);
    /// The command ended after its caller had been told that it is in progress.
    void ended_late(const std::string& command);
    void waiting(std::size_t requests) { waiting_.Set(static_cast<double>(requests)); }

private:
    void told(const std::string& command, Answer::Kind kind, SteadyTime::duration took);
    Counter& answers(const std::string& command, Answer::Kind kind);
    Counter& late(const std::string& command);
    Histogram& seconds(const std::string& command);

    Metrics& metrics_;
    Gauge& waiting_;
};

}  // namespace sluice::command
