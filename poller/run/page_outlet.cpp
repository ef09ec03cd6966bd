#include "poller/run/page_outlet.hpp"

#include <algorithm>
#include <string>

#include "common/crypto/digest.hpp"
#include "common/crypto/encoding.hpp"

namespace sluice::poller {
namespace {

// Of one page. Less than a lease, so that the next renewal is in time.
constexpr Milliseconds deliver_within{15'000};

bool is_kept(outlet::Kept kept) {
    return kept == outlet::Kept::published || kept == outlet::Kept::known;
}

}  // namespace

PlacedEvents placed_in(const RawPage& page) {
    PlacedEvents placed{.page = {.events = {}, .has_more = page.has_more, .next = page.next}, .at = {}};
    for (std::size_t i = 0; i < page.events.size(); ++i) {
        const RawEvent& event = page.events[i];
        if (!event.place) continue;
        placed.page.events.push_back({*event.place, event.wanted});
        placed.at.push_back(i);
    }
    return placed;
}

PageOutlet::PageOutlet(const PollSettings& poll, outlet::Outlet& outlet, WalkMetrics& metrics, Log& log,
                       const Clock& clock)
    : poll_{poll},
      outlet_{outlet},
      metrics_{metrics},
      log_{log},
      clock_{clock},
      parcels_{*poll.source, outlet.headers()} {}

bool PageOutlet::Published::all_kept() const {
    return std::ranges::all_of(kept, std::identity{});
}

PageOutlet::Published PageOutlet::publish(const RawPage& page, std::span<const std::size_t> events) {
    Published published;
    parcels_.clear();
    for (const std::size_t event : events) parcels_.add(page.events[event].bytes, clock_.wall());
    const auto kept = deliver();
    for (std::size_t i = 0; i < kept.size(); ++i) {
        published.kept.push_back(is_kept(kept[i]));
        if (kept[i] == outlet::Kept::too_large) published.never.push_back(i);
    }
    return published;
}

PageOutlet::Unplaced PageOutlet::keep_unplaced(const RawPage& page) {
    parcels_.clear();
    std::vector<std::string> digests;
    for (const RawEvent& event : page.events) {
        if (event.place) continue;
        std::string digest = crypto::to_hex(crypto::sha256(event.bytes));
        if (unplaced_.knows(digest)) continue;
        parcels_.add(event.bytes, clock_.wall());
        digests.push_back(std::move(digest));
    }
    if (digests.empty()) return Unplaced::kept;
    const auto kept = deliver();
    for (std::size_t i = 0; i < kept.size(); ++i)
        if (is_kept(kept[i])) unplaced_.keep(digests[i]);
    if (std::ranges::contains(kept, outlet::Kept::too_large)) return Unplaced::never;
    return std::ranges::all_of(kept, is_kept) ? Unplaced::kept : Unplaced::not_kept;
}

std::vector<outlet::Kept> PageOutlet::deliver() {
    if (parcels_.all().empty()) return {};
    auto kept = outlet_.deliver(parcels_.all(), deliver_within);
    count(kept);
    return kept;
}

void PageOutlet::count(std::span<const outlet::Kept> kept) {
    std::size_t published = 0;
    std::size_t known = 0;
    std::size_t quarantined = 0;
    for (std::size_t i = 0; i < kept.size(); ++i) {
        const std::string& why = parcels_.why_unread(i);
        if (!is_kept(kept[i])) continue;
        if (!why.empty()) log_.warn("quarantined", {{"source", poll_.source->name}, {"reason", why}});
        if (!why.empty())
            ++quarantined;
        else if (kept[i] == outlet::Kept::known)
            ++known;
        else
            ++published;
    }
    metrics_.events("published", published);
    metrics_.events("known", known);
    metrics_.events("quarantined", quarantined);
}

}  // namespace sluice::poller
