#include "ingress/outlet/deliver.hpp"

#include "common/failpoint.hpp"
#include "ingress/asio/rendezvous.hpp"

namespace sluice::outlet {
namespace {

using ingress::Rendezvous;
using ingress::Task;
using publish::Published;

Kept kept_of(Published published) noexcept {
    switch (published) {
        case Published::stored:
            return Kept::published;
        case Published::shed:
        case Published::unavailable:
            return Kept::unavailable;
        case Published::too_large:
            return Kept::too_large;
        case Published::spilled:  // no outlet spills
        case Published::not_acked:
            break;
    }
    return Kept::not_kept;
}

publish::Record record_of(const Parcel& parcel) {
    const auto topic = parcel.to == Parcel::To::events ? publish::Topic::events : publish::Topic::quarantine;
    return {topic, parcel.key, parcel.value, parcel.headers, parcel.marker};
}

Task<void> claim(const Ways& ways, const dedup::Marker& marker, Kept& kept) {
    const dedup::Claim claimed = co_await ways.deduplicator.claim(marker);
    if (claimed == dedup::Claim::duplicate) kept = Kept::known;
}

Task<void> claim_all(const Ways& ways, std::span<const Parcel> parcels, std::vector<Kept>& kept) {
    Rendezvous claims{ways.io.get_executor()};
    for (std::size_t i = 0; i < parcels.size(); ++i) {
        const Parcel& parcel = parcels[i];
        if (parcel.marker && parcel.asks_claim) claims.start(claim(ways, *parcel.marker, kept[i]));
    }
    co_await claims.all_ended();
}

Task<void> publish_one(const Ways& ways, const Parcel& parcel, SteadyTime until, Kept& kept) {
    const publish::Record record = record_of(parcel);
    const Published published = co_await ways.publisher.publish(record, until);
    kept = kept_of(published);
    if (kept != Kept::published) co_return;
    if (FP("poller.after_ack_before_confirm"))
        kept = Kept::not_kept;
    else if (parcel.marker)
        ways.deduplicator.confirm(*parcel.marker);
}

Task<void> publish_all(const Ways& ways, std::span<const Parcel> parcels, SteadyTime until,
                       std::vector<Kept>& kept) {
    Rendezvous records{ways.io.get_executor()};
    for (std::size_t i = 0; i < parcels.size(); ++i) {
        if (kept[i] == Kept::known) continue;
        records.start(publish_one(ways, parcels[i], until, kept[i]));
        if (FP("poller.after_produce")) break;
    }
    co_await records.all_ended();
}

}  // namespace

/// All claims are resolved first, so that what is published goes out in the order of the parcels.
Task<std::vector<Kept>> deliver(const Ways& ways, std::span<const Parcel> parcels, SteadyTime until) {
    std::vector<Kept> kept(parcels.size(), Kept::unavailable);  // until it is sent
    co_await claim_all(ways, parcels, kept);
    if (!FP("poller.after_claim")) co_await publish_all(ways, parcels, until, kept);
    co_return kept;
}

}  // namespace sluice::outlet
