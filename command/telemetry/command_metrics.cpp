#include "command/telemetry/command_metrics.hpp"

#include <array>
#include <utility>

namespace sluice::command {
namespace {

constexpr std::array<std::string_view, 11> names_of_kinds{
    "executed", "replayed",    "goes_on",      "in_progress", "mismatch", "refused",
    "failed",   "unavailable", "not_executed", "not_known",   "accepted"};  // as Kind

}  // namespace

std::string_view name_of(Answer::Kind kind) noexcept {
    return names_of_kinds[static_cast<std::size_t>(kind)];
}

CommandMetrics::CommandMetrics(Metrics& metrics, const CommandSet& set)
    : metrics_{metrics},
      waiting_{metrics.gauge("sluice_command_waiting", "Requests that wait for a worker")} {
    for (const auto& one : set.all()) {
        for (std::size_t kind = 0; kind < names_of_kinds.size(); ++kind)
            (void)answers(one->name, static_cast<Answer::Kind>(kind));
        (void)late(one->name);
        (void)seconds(one->name);
    }
}

std::function<void(Answer)> CommandMetrics::telling(const Request& request, const Clock& clock,
                                                    std::function<void(Answer)> done) {
    return [this, &clock, done = std::move(done), command = request.key.command,
            since = request.received_at](Answer answer) {
        told(command, answer.kind, clock.steady() - since);
        done(std::move(answer));
    };
}

void CommandMetrics::told(const std::string& command, Answer::Kind kind, SteadyTime::duration took) {
    answers(command, kind).Increment();
    seconds(command).Observe(std::chrono::duration<double>{took}.count());
}

void CommandMetrics::ended_late(const std::string& command) {
    late(command).Increment();
}

Counter& CommandMetrics::answers(const std::string& command, Answer::Kind kind) {
    return metrics_.counter("sluice_command_answers_total", "Answers to commands",
                            {{"command", command}, {"result", std::string{name_of(kind)}}});
}

Counter& CommandMetrics::late(const std::string& command) {
    return metrics_.counter("sluice_command_late_total",
                            "Commands that ended after their caller was told that they are in progress",
                            {{"command", command}});
}

Histogram& CommandMetrics::seconds(const std::string& command) {
    return metrics_.histogram("sluice_command_seconds", "From a command's arrival to its answer",
                              request_seconds_bounds(), {{"command", command}});
}

}  // namespace sluice::command
