#include "poller/parcel/event_parcels.hpp"

#include <array>

#include "common/webhook/extract/arrival.hpp"

namespace sluice::poller {
namespace {

constexpr std::array<webhook::HeaderField, 1> headers_of_each{{{"content-type", "application/json"}}};

}  // namespace

void EventParcels::add(std::string_view bytes, WallTime now) {
    Event& event = events_.emplace_back();
    const webhook::Request request{.method = "GET", .target = "", .headers = headers_of_each, .body = bytes};
    if (const auto read = webhook::extract_into(event.extracted, source_, request, view_); !read)
        return add_unread(event, request, now, read.error());
    record::EventHeaders& headers = event.extracted.headers;
    const trace::Context trace = trace::continue_trace({}, {});
    webhook::complete(
        headers, {.received_at = now, .key_id = {}, .traceparent = trace.traceparent(), .tracestate = {}});
    parcels_.push_back(
        {.to = outlet::Parcel::To::events,
         .key = event.extracted.ordering_key,
         .value = bytes,
         .headers = event.encoded.encode(headers),
         .marker = dedup::Marker{headers.dedup_key, record::mark(headers.dedup_key, headers.content_digest)},
         .keys_stamp = event.extracted.keys_stamp});
}

void EventParcels::add_unread(Event& event, const webhook::Request& request, WallTime now,
                              const webhook::Unread& why) {
    const trace::Context trace = trace::continue_trace({}, {});
    event.why = why.why;
    event.kept = publish::quarantine_record(source_, request, {}, now, trace.traceparent(), why);
    event.kept_views = event.kept.header_views();
    parcels_.push_back({.to = outlet::Parcel::To::quarantine,
                        .key = event.kept.key,
                        .value = request.body,
                        .headers = event.kept_views});
}

void EventParcels::clear() {
    parcels_.clear();
    events_.clear();
}

}  // namespace sluice::poller
