#include "consumer/process/process.hpp"

#include <algorithm>
#include <vector>

#include "common/operations/operations_server.hpp"
#include "common/running.hpp"
#include "consumer/publish/owed_record_publisher.hpp"

namespace sluice::consumer {
namespace {

constexpr Milliseconds between_looks_at_roles{100};

}  // namespace

Process::Process(const Config& configuration, Log& lines)
    : config{configuration},
      log{lines},
      tracer{trace::tracer_of(config.tracing, "sluice-consumer", clock, log, metrics)},
      spans{tracer, config.kafka, clock},
      decisions{log, metrics, spans},
      holds{clock, log, metrics, readiness},
      times{config.effects, clock, metrics},
      rules{config.effects,       config.sources, config.kafka, retry_topics_of(config.kafka),
            config.inbox.payload, &holds,         &times,       &bell},
      budget{config.consumer.dead_letter_budget, clock, log, metrics, readiness},
      statement_watch{config.mysql, clock, log},
      publisher{
          owed_record_publisher(config.kafka, {config.kafka.dlq_topic, rules.retry_topics.front()}, log)} {}

int run_roles(Process& process, std::span<const std::unique_ptr<Role>> roles, StopSignal& signal) {
    const auto all_alive = [&] { return std::ranges::all_of(roles, &Role::alive); };
    const auto& [key, address] = process.config.operations;
    const OperationsServer operations{{.host = address.host, .port = address.port, .key = key},
                                      process.metrics,
                                      process.readiness,
                                      all_alive};
    process.log.info("started", {{"operations_port", std::int64_t{operations.port()}}});
    std::vector<std::unique_ptr<Running<int>>> running;
    for (const auto& role : roles)
        running.push_back(std::make_unique<Running<int>>(
            "role", [&role](const std::stop_token& stop) { return role->run(stop); }));
    const auto has_ended = [](const auto& one) { return one->has_ended(); };
    bool stopping = false;
    while (!std::ranges::all_of(running, has_ended)) {
        stopping = stopping || std::ranges::any_of(running, has_ended);
        stopping = signal.wait(between_looks_at_roles) == StopSignal::Event::stop || stopping;
        if (stopping) std::ranges::for_each(running, [](const auto& one) { one->ask_stop(); });
    }
    int status = 0;
    for (const auto& one : running) status = std::max(status, one->result());
    return status;
}

}  // namespace sluice::consumer
