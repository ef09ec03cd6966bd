#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "common/clock.hpp"
#include "common/webhook/body/json_view.hpp"
#include "common/webhook/recipe/source.hpp"
#include "ingress/outlet/outlet.hpp"
#include "poller/config/poll_settings.hpp"
#include "poller/reconcile/books.hpp"
#include "poller/reconcile/injector.hpp"
#include "poller/reconcile/listed_days.hpp"
#include "poller/reconcile/report.hpp"
#include "poller/reconcile/window.hpp"
#include "poller/reconcile/window_reader.hpp"
#include "poller/run/account.hpp"
#include "poller/telemetry/walk_metrics.hpp"
#include "poller/walk/recent.hpp"

namespace sluice::poller {

/// What is compared, and what becomes of that which is missing.
struct ReconcileOrder {
    CutWindow window;  ///< not empty
    store::ReconciliationKind kind = store::ReconciliationKind::once;
    bool applies = false;
    bool before_first =
        false;  ///< also what was created before the account was served here, as far as is known
    std::string operator_name;
    std::string reason;
};

/// All outlive it.
struct ReconcileWays {
    Account& account;
    WalkMetrics& metrics;
    Books& books;
    outlet::Outlet* outlet;  ///< of an order that applies
    const Clock& clock;
};

/// For the cut of a window, before `books` begins anything.
[[nodiscard]] Keeping keeping_of(const PollSettings& poll, std::chrono::days inbox, Books& books);

/// One comparison of a provider's list with the inbox, page by page; it holds the keys of one day, and no
/// events. What is missing is noted before it is injected, and the run has ended only when all was looked at:
/// one that is killed is run again, and the inbox drops what came twice.
///
/// Only what was created after a listed event was received here is injected. Such an event shows that the
/// list is this account's, whatever key was given, and that the account was served here by then: what is
/// older, an earlier system may have applied. One thread's.
class Reconciliation {
public:
    /// `progress` is told after pages that end a day, and now and then: until when all was compared.
    Reconciliation(const PollSettings& poll, ReconcileOrder order, const ReconcileWays& ways,
                   std::function<void(const Report&, WallTime)> progress = {});

    /// Once. What it found, also where it was broken off.
    [[nodiscard]] Report run(const std::stop_token& stop);

private:
    struct Seen {
        std::size_t number = 0;  // in the page
        store::InboxKey key{};
        ReportedEvent event{};
        bool is_served = false;  // created when the account was served here
    };

    void compare_all(const std::stop_token& stop);
    void begin(WallTime asked_at);
    void take(const WindowReader::Events& events, const std::stop_token& stop);
    [[nodiscard]] std::vector<Seen> seen_in(const WindowReader::Events& events);
    void unreadable(const RawEvent& event);
    [[nodiscard]] std::vector<Seen> missing_of(std::vector<Seen> seen);
    void not_applied(ReportedEvent event, store::InboxStatus status);
    void found_missing(const RawPage& page, std::vector<Seen> missing, const std::stop_token& stop);
    /// Why the run breaks off; empty: it goes on.
    [[nodiscard]] std::string inject(const RawPage& page, std::span<const Seen> missing,
                                     std::span<ReportedEvent> reported, const std::stop_token& stop);
    [[nodiscard]] std::size_t before_first(std::span<const Seen> missing, std::span<ReportedEvent> reported);
    void done_before(std::chrono::sys_days day);
    void compare_rows(std::chrono::sys_days day);

    const PollSettings& poll_;
    ReconcileOrder order_;
    ReconcileWays ways_;
    std::function<void(const Report&, WallTime)> progress_;
    Report report_;
    Window window_;
    WindowReader reader_;
    ListedDays days_;
    Recent unreadable_;  // by their SHA-256: reading may go on by time and have them again
    WallTime read_until_;
    std::chrono::sys_days next_day_;  // all before are done with
    int pages_ = 0;
    WallTime served_since_;  // when the first was received of those that were listed and are here
    webhook::JsonView view_;
    std::optional<Injector> injector_;
};

}  // namespace sluice::poller
