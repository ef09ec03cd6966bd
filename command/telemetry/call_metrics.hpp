#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "common/telemetry/metrics.hpp"

namespace sluice::command {

/// What became of the calls of one command. Thread-safe.
class CallMetrics {
public:
    CallMetrics(Metrics& metrics, const std::string& command)
        : done_{counter(metrics, command, "done")},
          not_executed_{counter(metrics, command, "not_executed")},
          not_known_{counter(metrics, command, "not_known")},
          fenced_{counter(metrics, command, "fenced")},
          unanswered_{metrics.counter("sluice_command_unanswered_queries_total",
                                      "Times that a service was asked what became of a call, and did not say",
                                      {{"command", command}})},
          oldest_{metrics.gauge("sluice_command_calls_oldest_seconds",
                                "How long ago the oldest call was begun that is in progress",
                                {{"command", command}})},
          given_up_{metrics.gauge("sluice_command_calls_given_up",
                                  "Calls that nobody knows about, until a person settles them",
                                  {{"command", command}})} {}

    Counter& done() noexcept { return done_; }
    Counter& not_executed() noexcept { return not_executed_; }
    Counter& not_known() noexcept { return not_known_; }
    Counter& fenced() noexcept { return fenced_; }
    Counter& unanswered() noexcept { return unanswered_; }
    void given_up(std::int64_t calls) { given_up_.Set(static_cast<double>(calls)); }
    void oldest(std::chrono::duration<double> age) { oldest_.Set(age.count()); }

private:
    static Counter& counter(Metrics& metrics, const std::string& command, const std::string& result) {
        return metrics.counter("sluice_command_calls_total", "What calls came to, by what was recorded",
                               {{"command", command}, {"result", result}});
    }

    Counter& done_;
    Counter& not_executed_;
    Counter& not_known_;
    Counter& fenced_;
    Counter& unanswered_;
    Gauge& oldest_;
    Gauge& given_up_;
};

}  // namespace sluice::command
