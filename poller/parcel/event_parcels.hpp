#pragma once

#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/clock.hpp"
#include "common/record/event_record.hpp"
#include "common/trace/context.hpp"
#include "common/webhook/body/json_view.hpp"
#include "common/webhook/extract/extract.hpp"
#include "common/webhook/recipe/source.hpp"
#include "ingress/outlet/parcel.hpp"
#include "ingress/publish/kept_request.hpp"

namespace sluice::poller {

/// Reads an event of a list: the identity that the same event has by webhook.
[[nodiscard]] webhook::Readable<void> extract_listed(webhook::Extracted& extracted,
                                                     const webhook::Source& source, std::string_view bytes,
                                                     webhook::JsonView& view);

/// Events of a list as records: the bytes as the list has them, with the headers that the ingress would give
/// them, marked `trust: api`. An event that its recipe cannot read becomes a record for the quarantine. Owns
/// what the parcels point to, but for the bytes. One thread's.
class EventParcels {
public:
    /// `reconciliation`: the id of the one that found the events missing; they carry it, and ask no claim.
    /// Both outlive it.
    EventParcels(const webhook::Source& source, HeaderForm form, std::string_view reconciliation = {})
        : source_{source}, form_{form}, reconciliation_{reconciliation} {}

    /// `bytes` outlive the parcels.
    void add(std::string_view bytes, WallTime now);
    void clear();

    /// In the order of `add`; until the next change.
    [[nodiscard]] std::span<const outlet::Parcel> all() const { return parcels_; }
    /// Why the event cannot be read; empty where it can.
    [[nodiscard]] const std::string& why_unread(std::size_t event) const { return events_.at(event).why; }

private:
    struct Event {
        explicit Event(HeaderForm form) : encoded{form} {}
        webhook::Extracted extracted;
        record::EncodedHeaders encoded;
        publish::KeptRequest kept;
        std::vector<record::HeaderView> views;
        std::string why;
    };
    void add_unread(Event& event, const webhook::Request& request, WallTime now, const webhook::Unread& why);

    const webhook::Source& source_;
    HeaderForm form_;
    std::string_view reconciliation_;
    webhook::JsonView view_;
    std::deque<Event> events_;  // parcels point into them
    std::vector<outlet::Parcel> parcels_;
};

}  // namespace sluice::poller
