#include "poller/reconcile/injector.hpp"

#include <algorithm>
#include <random>

#include "common/failpoint.hpp"
#include "common/wait_or_stop.hpp"

namespace sluice::poller {
namespace {

using outlet::Kept;

constexpr Milliseconds injected_within{15'000};
constexpr Backoff between_tries{.first = Milliseconds{1'000}, .most = Milliseconds{30'000}};
constexpr int most_tries = 7;  // a minute

bool may_be_kept_later(Kept kept) {
    return kept == Kept::not_kept || kept == Kept::unavailable;
}

}  // namespace

Injector::Injector(const webhook::Source& source, const std::string& id, outlet::Outlet& outlet,
                   const Clock& clock)
    : outlet_{outlet},
      clock_{clock},
      parcels_{source, outlet.headers(), id},
      random_{std::random_device{}()} {}

Injector::Injected Injector::inject(const RawPage& page, std::span<const std::size_t> events,
                                    const std::stop_token& stop) {
    Injected injected{.kept = std::vector<bool>(events.size()), .broken_off = {}};
    auto& [kept, broken_off] = injected;
    for (int failures = 1;; ++failures) {
        std::vector<std::size_t> tried;
        parcels_.clear();
        for (std::size_t i = 0; i < events.size(); ++i) {
            if (kept[i]) continue;
            parcels_.add(page.events[events[i]].bytes, clock_.wall());
            tried.push_back(i);
        }
        const auto became = outlet_.deliver(parcels_.all(), injected_within);
        for (std::size_t i = 0; i < tried.size(); ++i) kept[tried[i]] = became[i] == Kept::published;
        if (std::ranges::none_of(became, may_be_kept_later)) return injected;
        if (failures == most_tries)
            broken_off = "Kafka does not take the events that are missing";
        else if (!wait_or_stop(stop, between_tries.after(failures, random_) / HURRY()))
            broken_off = "it was stopped";
        if (!broken_off.empty()) return injected;
    }
}

}  // namespace sluice::poller
