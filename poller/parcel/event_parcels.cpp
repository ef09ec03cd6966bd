#include "poller/parcel/event_parcels.hpp"

#include <array>

#include "common/record/header_names.hpp"
#include "common/webhook/extract/arrival.hpp"

namespace sluice::poller {
namespace {

constexpr std::array<webhook::HeaderField, 1> headers_of_each{{{"content-type", "application/json"}}};

webhook::Request request_of(std::string_view bytes) {
    return {.method = "GET", .target = "", .headers = headers_of_each, .body = bytes};
}

}  // namespace

webhook::Readable<void> extract_listed(webhook::Extracted& extracted, const webhook::Source& source,
                                       std::string_view bytes, webhook::JsonView& view) {
    return webhook::extract_into(extracted, source, request_of(bytes), view);
}

void EventParcels::add(std::string_view bytes, WallTime now) {
    Event& event = events_.emplace_back(form_);
    if (const auto read = extract_listed(event.extracted, source_, bytes, view_); !read)
        return add_unread(event, request_of(bytes), now, read.error());
    record::EventHeaders& headers = event.extracted.headers;
    const trace::Context trace = trace::continue_trace({}, {});
    webhook::complete(
        headers, {.received_at = now, .key_id = {}, .traceparent = trace.traceparent(), .tracestate = {}});
    const auto encoded = event.encoded.encode(headers);
    event.views.assign(encoded.begin(), encoded.end());
    if (!reconciliation_.empty()) event.views.push_back({record::header::reconciled, reconciliation_});
    parcels_.push_back(
        {.to = outlet::Parcel::To::events,
         .key = event.extracted.ordering_key,
         .value = bytes,
         .headers = event.views,
         .marker = dedup::Marker{headers.dedup_key, record::mark(headers.dedup_key, headers.content_digest)},
         .asks_claim = reconciliation_.empty()});
}

void EventParcels::add_unread(Event& event, const webhook::Request& request, WallTime now,
                              const webhook::Unread& why) {
    const trace::Context trace = trace::continue_trace({}, {});
    event.why = why.why;
    event.kept = publish::quarantine_record(source_, request, {}, now, trace.traceparent(), why);
    event.views = event.kept.header_views();
    parcels_.push_back({.to = outlet::Parcel::To::quarantine,
                        .key = event.kept.key,
                        .value = request.body,
                        .headers = event.views});
}

void EventParcels::clear() {
    parcels_.clear();
    events_.clear();
}

}  // namespace sluice::poller
