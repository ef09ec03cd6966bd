#include "poller/program/poller.hpp"

#include <algorithm>

#include "common/config/certificate_gauges.hpp"
#include "common/failpoint.hpp"
#include "common/operations/operations_server.hpp"
#include "common/running.hpp"
#include "common/telemetry/process_metrics.hpp"

namespace sluice::poller {
namespace {

constexpr Program program{"sluice-poller", "sluice_poller"};
constexpr Milliseconds between_looks{100};
// A request takes two minutes at most, and a page some seconds to be kept. With SLUICE_HURRY=N (tests) an
// N-th of it.
constexpr Milliseconds stuck_after = std::chrono::minutes{5};

}  // namespace

Poller::Poller(const Config& config, Log& log)
    : config_{config},
      log_{log},
      outlet_{config.kafka, config.redis, program, log, metrics_, readiness_, clock_},
      around_{config.mysql, outlet_, log, metrics_, readiness_, clock_},
      around_reconciling_{config.mysql, config.inbox_keep, outlet_, log, metrics_, clock_} {
    export_process(metrics_, log, readiness_, "poller");
    config::export_certificate(metrics_, "kafka", config.kafka.tls.cert_file);
    config::export_certificate(metrics_, "redis", config.redis.tls.cert_file);
    config::follow_certificate(metrics_, "mysql", config.mysql.tls.cert_file);
    for (const PollSettings& poll : config.polls) {
        const auto& walk = walks_.emplace_back(std::make_unique<SourceWalk>(poll, account_of(poll), around_));
        if (poll.reconcile)
            reconciling_.push_back(std::make_unique<RegularReconciliation>(
                poll, account_of(poll), around_reconciling_, [&its = *walk] { return its.leads(); }));
    }
}

int Poller::run(StopSignal& signal, SourceWalk::Until until) {
    const auto& [key, address] = config_.operations;
    const OperationsServer operations{
        {.host = address.host, .port = address.port, .key = key}, metrics_, readiness_, [this] {
            return alive();
        }};
    log_.info("started", {{"operations_port", std::int64_t{operations.port()}}});
    std::vector<std::unique_ptr<Running<SourceWalk::End>>> running;
    for (const auto& walk : walks_)
        running.push_back(std::make_unique<Running<SourceWalk::End>>(
            "walk", [&walk, until](const std::stop_token& stop) { return walk->run(stop, until); }));
    // A job ends with its walks, which wait for no comparison.
    std::vector<std::unique_ptr<Running<bool>>> comparing;
    for (const auto& one : reconciling_) {
        if (until == SourceWalk::Until::caught_up) continue;
        comparing.push_back(std::make_unique<Running<bool>>(
            "reconcile", [&one](const std::stop_token& stop) { return one->run(stop); }));
    }
    const auto has_ended = [](const auto& one) { return one->has_ended(); };
    const auto has_thrown = [](const auto& one) { return one->has_thrown(); };
    bool stopping = false;
    while (!std::ranges::all_of(running, has_ended)) {
        const bool is_told = signal.wait(between_looks) == StopSignal::Event::stop;
        const bool is_broken =
            std::ranges::any_of(running, has_thrown) || std::ranges::any_of(comparing, has_thrown);
        if (stopping || !(is_told || is_broken)) continue;
        stopping = true;
        log_.info("draining", {});
        for (const auto& one : running) one->ask_stop();
        for (const auto& one : comparing) one->ask_stop();
    }
    for (const auto& one : comparing)
        if (one->has_thrown()) (void)one->result();
    const bool is_bad = std::ranges::any_of(
        running, [](const auto& one) { return one->result() == SourceWalk::End::in_trouble; });
    log_.info("stopped", {});
    return is_bad ? 1 : 0;
}

bool Poller::alive() const {
    const SteadyTime now = clock_.steady();
    return std::ranges::all_of(
        walks_, [now](const auto& walk) { return now - walk->last_turn() < stuck_after / HURRY(); });
}

Account& Poller::account_of(const PollSettings& poll) {
    auto& account = accounts_[poll.key_name];
    if (!account)
        account = std::make_unique<Account>(poll.budget, clock_, budget_left(metrics_, poll.source->name));
    return *account;
}

}  // namespace sluice::poller
