#include "ingress/callbacks/callback_batch.hpp"

#include <algorithm>
#include <utility>

#include <google/protobuf/io/coded_stream.h>

#include "common/webhook/http/header_lookup.hpp"

namespace sluice::callbacks {
namespace {

using google::protobuf::io::CodedOutputStream;

void set_time(google::protobuf::Timestamp& to, WallTime time) {
    const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
    to.set_seconds(seconds.time_since_epoch().count());
    to.set_nanos(static_cast<std::int32_t>(std::chrono::nanoseconds{time - seconds}.count()));
}

void set_text(std::string& to, std::string_view text) {
    to.assign(text);
}

void set_event(v1::Callback& to, const webhook::Extracted& event) {
    const record::EventHeaders& headers = event.headers;
    set_text(*to.mutable_event_id(), headers.event_id);
    set_text(*to.mutable_type(), headers.type);
    set_text(*to.mutable_ordering_key(), event.ordering_key);
    set_text(*to.mutable_dedup_key(), crypto::as_text(headers.dedup_key));
    to.set_event_day(static_cast<std::int32_t>(headers.event_day.time_since_epoch().count()));
}

void add_header(v1::Callback& to, const webhook::HeaderField& field) {
    v1::Callback::Header& header = *to.add_headers();
    std::ranges::transform(field.name, std::back_inserter(*header.mutable_name()), webhook::lower_case);
    set_text(*header.mutable_value(), field.value);
}

void set(v1::Callback& to, const Callback& from) {
    set_time(*to.mutable_received_at(), from.received_at);
    set_text(*to.mutable_source(), from.source);
    set_text(*to.mutable_verdict(), from.verdict);
    set_text(*to.mutable_reason(), from.reason);
    to.set_status(from.status);
    set_text(*to.mutable_client(), from.client);
    to.set_requests(from.requests);
    set_text(*to.mutable_trace(), from.trace);
    if (from.body_size) to.set_body_size(*from.body_size);
    to.set_took_us(static_cast<std::uint64_t>(std::max<std::int64_t>(from.took.count(), 0)));
    if (from.event != nullptr) set_event(to, *from.event);
    for (const webhook::HeaderField& field : from.headers) add_header(to, field);
    if (from.body) set_text(*to.mutable_body(), *from.body);
}

/// One more element of CallbackBatch.callbacks.
void append(std::string& bytes, const v1::Callback& callback) {
    constexpr std::uint32_t tag = v1::CallbackBatch::kCallbacksFieldNumber << 3 | 2;
    const std::size_t size = callback.ByteSizeLong();
    const auto varint = static_cast<std::uint32_t>(size);
    const std::size_t before = bytes.size();
    bytes.resize(before + 1 + CodedOutputStream::VarintSize32(varint) + size);
    auto* at = reinterpret_cast<std::uint8_t*>(bytes.data() + before);
    at = CodedOutputStream::WriteVarint32ToArray(tag, at);
    at = CodedOutputStream::WriteVarint32ToArray(varint, at);
    callback.SerializeWithCachedSizesToArray(at);
}

}  // namespace

void CallbackBatch::add(const Callback& callback) {
    callback_.Clear();
    set(callback_, callback);
    append(bytes_, callback_);
    requests_ += callback.requests;
}

std::string CallbackBatch::take() {
    requests_ = 0;
    return std::exchange(bytes_, {});
}

}  // namespace sluice::callbacks
