#include "consumer/relay_role/relay_role.hpp"

#include <algorithm>

#include "common/operations/drain_limit.hpp"
#include "common/wait_or_stop.hpp"
#include "consumer/destination/webhook_signature.hpp"
#include "consumer/process/startup.hpp"
#include "consumer/relay_role/unknown_destinations.hpp"

namespace sluice::consumer {
namespace {

// A call takes a minute and a second at most (`timeout` of a destination), then says so.
constexpr std::chrono::seconds relay_stuck_after{180};
constexpr Milliseconds between_purges = std::chrono::hours{1};

}  // namespace

RelayRole::RelayRole(Process& process)
    : process_{process},
      purged_{process.metrics.counter("sluice_relay_messages_purged_total",
                                      "Messages that were sent or skipped long ago, deleted from MySQL")},
      purge_failures_{process.metrics.counter("sluice_relay_purge_failures_total",
                                              "Rounds of deleting old messages that failed")} {
    refuse_bad_secrets(process_.config);
    process_.readiness.expect("mysql", "not connected yet");
}

void RelayRole::refuse_bad_secrets(const Config& config) {
    config::Problems problems;
    for (const auto& destination : config.destinations) {
        if (const auto* url = std::get_if<destination::Url>(&destination.to))
            (void)signing_keys(url->secrets, problems);
    }
    if (problems.any()) throw config::Refused{problems.report()};
}

int RelayRole::run(const std::stop_token& stop) {
    const WaitOrStop wait = [&](Milliseconds time) { return wait_or_stop(stop, time); };
    if (!wait_for_tables(process_, wait)) return 0;
    {
        const std::lock_guard lock{mutex_};
        for (const auto& destination : process_.config.destinations)
            relays_.push_back(std::make_unique<DestinationRelay>(process_, destination));
    }
    do purge(stop);
    while (wait(between_purges));
    process_.log.info("relay_draining", {});
    const DrainLimit limit{process_.config.consumer.drain_within, process_.log, "consumer.drain_within"};
    const std::lock_guard lock{mutex_};
    for (const auto& relay : relays_) relay->ask_to_stop();
    relays_.clear();
    process_.log.info("relay_stopped", {});
    return 0;
}

void RelayRole::purge(const std::stop_token& stop) {
    store::ServerError error;
    auto connection = store::Connection::open(process_.config.mysql, &error);
    if (!connection) return not_purged(error.message);
    if (!give_up_unknown_destinations(process_, **connection, stop))
        return not_purged((*connection)->last_error().message);
    const WallTime cutoff = process_.database_clock.wall() - process_.config.outbox.keep;
    for (std::size_t deleted = store::outbox_batch;
         deleted == store::outbox_batch && !stop.stop_requested();) {
        const auto some = store::delete_finished(**connection, cutoff);
        if (!some) return not_purged((*connection)->last_error().message);
        deleted = static_cast<std::size_t>(*some);
        purged_.Increment(static_cast<double>(deleted));
    }
}

void RelayRole::not_purged(const std::string& why) {
    purge_failures_.Increment();
    process_.log.warn("outbox_not_purged", {{"reason", why}});
}

bool RelayRole::alive() const {
    const std::lock_guard lock{mutex_};
    const SteadyTime now = process_.clock.steady();
    return std::ranges::all_of(
        relays_, [now](const auto& relay) { return now - relay->last_turn() < relay_stuck_after; });
}

}  // namespace sluice::consumer
