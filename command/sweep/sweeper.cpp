#include "command/sweep/sweeper.hpp"

#include <string>

#include "common/failpoint.hpp"
#include "common/thread_name.hpp"
#include "common/wait_or_stop.hpp"
#include "consumer/store/command/command_key.hpp"
#include "consumer/store/driver/named_lock.hpp"

namespace sluice::command {
namespace {

constexpr std::int64_t batch = 256;                 // rows, which are locked together
constexpr std::int64_t between_looks = 64 * batch;  // at how far it is: 100 M rows take hours
constexpr Milliseconds between_passes{60'000};
constexpr Milliseconds between_tries{2'000};

constexpr const char* concern = "statements";  // the consumer has one for operators' commands

std::string why_not(const config::Problems& problems, const std::vector<effects::Lack>& missing) {
    return problems.any() ? problems.report() : missing.front().sentence;
}

}  // namespace

Result<std::int64_t> sweep_expired(store::Connection& connection, std::int64_t most,
                                   const std::stop_token& stop) {
    std::int64_t total = 0;
    while (total < most && !stop.stop_requested()) {
        const auto deleted = store::delete_expired_keys(connection, batch);
        if (!deleted) return deleted;
        total += *deleted;
        (void)FP("command.batch_swept");
        if (*deleted < batch) break;
    }
    return total;
}

Sweeper::Sweeper(const CommandSet& set, const Around& around)
    : set_{set},
      around_{around},
      behind_{around.metrics.gauge("sluice_command_expired_seconds",
                                   "For how long the oldest key that is still kept has been expired")},
      deleted_{
          around.metrics.counter("sluice_command_expired_total", "Keys that were deleted after their time")},
      failures_{around.metrics.counter("sluice_command_sweep_failures_total",
                                       "Times that expired keys could not be deleted")},
      thread_{[this](const std::stop_token& stop) { run(stop); }} {}

void Sweeper::run(const std::stop_token& stop) {
    name_this_thread("command-sweep");
    while (wait_or_stop(stop, (pass(stop) ? between_passes : between_tries) / HURRY())) {
    }
}

bool Sweeper::pass(const std::stop_token& stop) {
    store::ServerError error;
    auto connection = store::Connection::open(around_.mysql, &error);
    if (!connection) return false;  // the workers say so
    if (!is_checked_ && !check(**connection)) return false;
    is_checked_ = true;
    if (sweep(**connection, stop)) return true;
    failures_.Increment();
    around_.log.error("command_sweep_failed", {{"reason", (*connection)->last_error().message}});
    return false;
}

bool Sweeper::check(store::Connection& connection) {
    config::Problems problems;
    const auto missing = set_.check(connection, problems);
    if (!missing) return false;
    if (missing->empty() && !problems.any()) {
        around_.readiness.set_ready(concern);
        return true;
    }
    const std::string why = why_not(problems, *missing);
    around_.readiness.set_unready(concern, why);
    around_.log.error("commands_not_ready", {{"reason", why}});
    return false;
}

Result<void> Sweeper::sweep(store::Connection& connection, const std::stop_token& stop) {
    const auto lock = store::NamedLock::acquire(connection, "command_key", std::chrono::seconds{0});
    if (!lock) return Failure{lock.error()};
    if (!*lock) return show_behind(connection);
    for (bool is_more = true; is_more;) {
        const auto deleted = sweep_expired(connection, between_looks, stop);
        if (!deleted) return Failure{deleted.error()};
        deleted_.Increment(static_cast<double>(*deleted));
        const auto shown = show_behind(connection);
        if (!shown) return shown;
        is_more = *deleted >= between_looks;
    }
    return {};
}

Result<void> Sweeper::show_behind(store::Connection& connection) {
    const auto behind = store::oldest_expired_key(connection);
    if (!behind) return Failure{behind.error()};
    behind_.Set(std::chrono::duration<double>{*behind}.count());
    return {};
}

}  // namespace sluice::command
