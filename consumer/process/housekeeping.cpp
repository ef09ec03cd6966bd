#include "consumer/process/housekeeping.hpp"

#include "common/thread_name.hpp"
#include "consumer/store/inbox/applied_offset.hpp"
#include "consumer/store/retention/maintenance.hpp"
#include "consumer/store/traffic/source_traffic.hpp"

namespace sluice::consumer {
namespace {

constexpr std::chrono::hours between_rounds{1};
constexpr std::chrono::minutes after_a_failure{1};

}  // namespace

Housekeeping::Housekeeping(const Config& config, Log& log, Metrics& metrics, const Clock& clock)
    : config_{config},
      log_{log},
      clock_{clock},
      days_ahead_{metrics.gauge("sluice_consumer_inbox_days_ahead",
                                "Days after today that have a partition in the inbox")},
      failures_{
          metrics.counter("sluice_consumer_housekeeping_failures_total", "Rounds of retention that failed")},
      thread_{[this](const std::stop_token& stop) { run(stop); }} {}

Housekeeping::~Housekeeping() = default;

void Housekeeping::run(const std::stop_token& stop) {
    name_this_thread("housekeeping");
    while (!stop.stop_requested()) {
        const auto failures = failures_.Value();
        tend_inbox();
        const std::chrono::minutes pause = failures_.Value() > failures ? after_a_failure : between_rounds;
        std::unique_lock lock{mutex_};
        wake_.wait_for(lock, stop, pause, [] { return false; });
    }
}

void Housekeeping::tend_inbox() {
    const auto failed = [&](const std::string& why) {
        failures_.Increment();
        log_.warn("housekeeping_failed", {{"reason", why}});
    };
    store::ServerError error;
    auto connection = store::Connection::open(config_.mysql, &error, store::maintenance_patience());
    if (!connection) return failed(error.message);
    const auto report = store::maintain(**connection, config_.inbox, config_.callbacks, clock_.wall());
    if (!report) return failed((*connection)->last_error().message);
    days_ahead_.Set(report->days_ahead);
    if (report->clocks_differ)
        return failed(
            "the clocks of this process and MySQL differ by more than an hour: no partition is added or "
            "dropped");
    std::int64_t deleted = 0;
    for (const auto& group : {config_.kafka.group, config_.kafka.callbacks_group()}) {
        const auto stale = store::delete_stale_applied_offsets(**connection, group);
        if (!stale) return failed((*connection)->last_error().message);
        deleted += *stale;
    }
    // Last: nothing of the inbox's waits for a right on this table.
    const auto traffic = store::delete_old_traffic(**connection, clock_.wall());
    if (!traffic) return failed((*connection)->last_error().message);
    log_.info("housekeeping", {{"had_lock", report->had_lock},
                               {"days_ahead", std::int64_t{report->days_ahead}},
                               {"partitions_added", std::int64_t{report->partitions_added}},
                               {"partitions_dropped", std::int64_t{report->partitions_dropped}},
                               {"partitions_held", std::int64_t{report->partitions_held}},
                               {"undated_deleted", report->undated_deleted},
                               {"undated_forgotten", report->undated_forgotten},
                               {"selftests_deleted", report->selftests_deleted},
                               {"dead_letters_cleared", report->dead_letters_cleared},
                               {"dead_letters_deleted", report->dead_letters_deleted},
                               {"actions_deleted", report->actions_deleted},
                               {"erasures_deleted", report->erasures_deleted},
                               {"applied_offsets_deleted", deleted}});
}

}  // namespace sluice::consumer
