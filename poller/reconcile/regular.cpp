#include "poller/reconcile/regular.hpp"

#include <algorithm>
#include <format>
#include <random>
#include <utility>

#include "common/failpoint.hpp"
#include "common/wait_or_stop.hpp"
#include "poller/reconcile/broken_off.hpp"

namespace sluice::poller {
namespace {

constexpr Milliseconds between_turns{5'000};
constexpr Milliseconds first_after_failure{60'000};

}  // namespace

RegularReconciliation::RegularReconciliation(const PollSettings& poll, Account& account,
                                             const ReconcileSurroundings& around, std::function<bool()> leads)
    : poll_{poll},
      account_{account},
      around_{around},
      leads_{std::move(leads)},
      requests_{around.metrics, poll},
      metrics_{around.metrics, poll.source->name, poll.reconcile->every},
      random_{std::random_device{}()} {}

bool RegularReconciliation::run(const std::stop_token& stop) {
    while (wait_or_stop(stop, between_turns / HURRY())) {
        try {
            turn(stop);
        } catch (const BrokenOff& why) {
            if (!stop.stop_requested()) failed(why.what());
        }
    }
    return true;
}

void RegularReconciliation::turn(const std::stop_token& stop) {
    if (!leads_()) {
        if (next_) metrics_.stands_by();
        next_.reset();
        return;
    }
    if (!next_) learn();
    const SteadyTime now = around_.clock.steady();
    metrics_.aged(std::chrono::duration_cast<std::chrono::microseconds>(now - ended_));
    if (now >= *next_) compare(stop);
}

void RegularReconciliation::learn() {
    const SteadyTime now = around_.clock.steady();
    if (ended_ == SteadyTime{}) ended_ = now;
    Books books{around_.mysql};
    const auto last = books.last_regular(poll_.source->name);
    next_ = now;
    if (!last) return;
    metrics_.found(last->counts);
    ended_ = now - last->ago;
    next_ = ended_ + poll_.reconcile->every / HURRY();
}

CutWindow RegularReconciliation::window(Books& books) const {
    const WallTime now = std::chrono::floor<std::chrono::seconds>(around_.clock.wall());
    const WallTime from = std::chrono::ceil<std::chrono::seconds>(now - poll_.reconcile->window);
    return cut({from, now}, now, keeping_of(poll_, around_.inbox_keep, books));
}

void RegularReconciliation::compare(const std::stop_token& stop) {
    Books books{around_.mysql};
    ReconcileOrder order{.window = window(books),
                         .kind = store::ReconciliationKind::continuous,
                         .applies = poll_.reconcile->applies,
                         .before_first = false,
                         .operator_name = {},
                         .reason = {}};
    if (order.window.window.is_empty()) throw BrokenOff{"nothing of its window can be compared"};
    const ReconcileWays ways{account_, requests_, books, &around_.outlet, around_.clock};
    Report report = Reconciliation{poll_, std::move(order), ways}.run(stop);
    report.counts.missing += injected_before_;
    report.counts.injected += injected_before_;
    if (!report.broken_off.empty()) {
        injected_before_ = report.counts.injected;
        throw BrokenOff{std::format("{}; {} were missing so far, {} of them are injected", report.broken_off,
                                    report.counts.missing, report.counts.injected)};
    }
    ended(report);
}

void RegularReconciliation::ended(const Report& report) {
    const auto& counts = report.counts;
    failures_ = 0;
    injected_before_ = 0;
    ended_ = around_.clock.steady();
    next_ = ended_ + poll_.reconcile->every / HURRY();
    metrics_.found(counts);
    metrics_.unreadable(report.unreadable);
    const auto fine = not_judged(report) > 0 ? &Log::warn : &Log::info;
    const auto say = counts.missing > 0 ? &Log::error : fine;
    (around_.log.*say)("poll_reconciled", {{"source", poll_.source->name},
                                           {"reconciliation", report.id},
                                           {"listed", counts.listed},
                                           {"missing", counts.missing},
                                           {"injected", counts.injected},
                                           {"before_first", report.before_first},
                                           {"not_applied", counts.not_applied},
                                           {"unreadable", report.unreadable},
                                           {"too_old", report.too_old}});
}

/// The walk says of itself what is wrong with the provider.
void RegularReconciliation::failed(const std::string& why) {
    const Backoff backoff{first_after_failure, poll_.reconcile->every};
    next_ = around_.clock.steady() + backoff.after(++failures_, random_) / HURRY();
    around_.log.warn("poll_reconcile_failed", {{"source", poll_.source->name}, {"reason", why}});
}

}  // namespace sluice::poller
