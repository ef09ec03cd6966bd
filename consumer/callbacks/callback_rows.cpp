#include "consumer/callbacks/callback_rows.hpp"

#include <algorithm>
#include <utility>

#include "common/crypto/encoding.hpp"
#include "common/redact/payload.hpp"
#include "common/webhook/payment/payment.hpp"
#include "common/webhook/recipe/program.hpp"
#include "consumer/apply/payment_said.hpp"

namespace sluice::consumer {
namespace {

constexpr std::string_view accepted = "accepted";
constexpr std::string_view polled = "polled";  // read from the provider's list: nobody sent it
constexpr std::string_view duplicate = "duplicate";

/// 32 hex digits as 16 bytes; empty: it is none.
std::string trace_bytes(std::string_view hex) {
    const auto bytes = crypto::from_hex(hex);
    return bytes && bytes->size() == 16 ? *bytes : std::string{};
}

std::string_view trace_of(std::string_view traceparent) {
    constexpr std::size_t before = 3;
    constexpr std::size_t digits = 32;
    return traceparent.size() < before + digits ? std::string_view{} : traceparent.substr(before, digits);
}

/// nullptr where no source has this name any more.
const webhook::Source* source_named(const webhook::SourceSet& sources, std::string_view name) {
    const auto found = std::ranges::find_if(sources, [&](const auto& one) { return one->name == name; });
    return found == sources.end() ? nullptr : found->get();
}

WallTime time_of(const google::protobuf::Timestamp& time) {
    return WallTime{std::chrono::seconds{time.seconds()} +
                    std::chrono::floor<std::chrono::microseconds>(std::chrono::nanoseconds{time.nanos()})};
}

/// What two events of one account say alike but for their ids. An id that is short may be part of anything.
std::optional<crypto::Digest> body_hash(const record::EventHeaders& event, std::string_view body) {
    constexpr std::size_t shortest_id = 8;
    if (event.event_id.size() < shortest_id) return std::nullopt;
    std::string rest{body};
    for (std::size_t at = 0; (at = rest.find(event.event_id, at)) != std::string::npos;)
        rest.erase(at, event.event_id.size());
    crypto::PartsDigest digest;
    digest.begin();
    for (const std::string_view part :
         {std::string_view{event.provider}, std::string_view{event.principal},
          std::string_view{event.livemode ? "live" : "test"}, std::string_view{rest}})
        digest.part(part);
    return digest.finish();
}

std::optional<crypto::Digest> digest_of(std::string_view bytes) {
    crypto::Digest digest;
    if (bytes.size() != digest.size()) return std::nullopt;
    std::ranges::copy(bytes, digest.begin());
    return digest;
}

std::optional<store::CallbackEvent> event_of(const v1::Callback& callback) {
    const auto dedup_key = digest_of(callback.dedup_key());
    if (!dedup_key) return std::nullopt;
    return store::CallbackEvent{.id = callback.event_id(),
                                .type = callback.type(),
                                .object_key = callback.ordering_key(),
                                .day = std::chrono::sys_days{std::chrono::days{callback.event_day()}},
                                .dedup_key = *dedup_key};
}

std::string headers_of(const v1::Callback& callback) {
    std::vector<std::pair<std::string, std::string>> headers;
    for (const auto& header : callback.headers()) headers.emplace_back(header.name(), header.value());
    redact::Json json = redact::Json::array();
    for (auto& [name, value] : redact::masked_headers(headers)) json.push_back({name, value});
    return headers.empty() ? std::string{}
                           : json.dump(-1, ' ', false, redact::Json::error_handler_t::replace);
}

}  // namespace

bool CallbackRows::add_event(const Record& record, const webhook::SourceSet& sources) {
    auto decoded = record::decode(record.headers, record::HttpHeaders::left_out);
    if (!decoded) return false;
    const record::EventHeaders& event = events_.emplace_back(std::move(*decoded));
    const bool is_polled = event.is_polled();
    const webhook::Source* source = source_named(sources, event.source);
    const bool was_answered = !is_polled && source != nullptr;
    store::CallbackEntry& entry = entries_.emplace_back(store::CallbackEntry{
        .place = {store::CallbackPlace::Log::events, record.at.partition, record.at.offset, 0},
        .received_at = event.received_at,
        .source = event.source,
        .verdict = is_polled ? polled : accepted,
        .status = was_answered ? std::optional<std::int64_t>{source->answers.success.status} : std::nullopt,
        .client = event.client,
        .trace = own(trace_bytes(trace_of(event.traceparent))),
        .body_size = static_cast<std::int64_t>(record.value.size()),
        .event = store::CallbackEvent{.id = event.event_id,
                                      .type = event.type,
                                      .object_key = own(ObjectKey{record}.str()),
                                      .day = event.event_day,
                                      .dedup_key = event.dedup_key,
                                      .body_hash = is_polled ? std::nullopt : body_hash(event, record.value),
                                      .occurred_at = event.occurred_at}});
    if (source != nullptr) add_payment(*entry.event, *source, record.value);
    return true;
}

/// Of a body that cannot be read nothing is known.
void CallbackRows::add_payment(store::CallbackEvent& event, const webhook::Source& source,
                               std::string_view body) {
    if (!source.program->payment) return;
    webhook::JsonView view;
    if (!read_body(source, body, /*is_edited=*/false, view)) return;
    const auto its = webhook::case_of(*source.program->payment, view);
    if (!its || *its == nullptr) return;
    event.payment = own((*its)->kind);
    const webhook::Payment facts = webhook::payment_of(*source.program->payment, **its, view);
    if (const auto* amount = std::get_if<std::int64_t>(&facts[webhook::PaymentFact::amount].value))
        event.amount = *amount;
    if (const auto* currency = std::get_if<std::string>(&facts[webhook::PaymentFact::currency].value))
        event.currency = own(*currency);
}

bool CallbackRows::add_batch(const Record& record) {
    v1::CallbackBatch& batch = batches_.emplace_back();
    if (!batch.ParseFromArray(record.value.data(), static_cast<int>(record.value.size()))) {
        batches_.pop_back();
        return false;
    }
    store::CallbackPlace place{store::CallbackPlace::Log::callbacks, record.at.partition, record.at.offset,
                               0};
    for (const v1::Callback& callback : batch.callbacks()) {
        add(callback, place);
        ++place.number;
    }
    return true;
}

void CallbackRows::add(const v1::Callback& callback, const store::CallbackPlace& place) {
    const bool is_one = callback.requests() <= 1;
    store::CallbackEntry entry{
        .place = place,
        .received_at = time_of(callback.received_at()),
        .source = callback.source(),
        .verdict = callback.verdict(),
        .reason = callback.reason(),
        .client = callback.client(),
        .requests = static_cast<std::int64_t>(std::max<std::uint64_t>(callback.requests(), 1)),
        .trace = own(trace_bytes(callback.trace()))};
    if (callback.status() != 0) entry.status = callback.status();
    if (is_one) {
        if (callback.has_body_size()) entry.body_size = static_cast<std::int64_t>(callback.body_size());
        entry.took_us = static_cast<std::int64_t>(callback.took_us());
        entry.event = event_of(callback);
        entry.headers = own(headers_of(callback));
        if (callback.has_body()) entry.body = callback.body();
    }
    entries_.push_back(entry);
}

std::vector<crypto::Digest> CallbackRows::duplicated() const {
    std::set<crypto::Digest> events;
    for (const store::CallbackEntry& entry : entries_)
        if (entry.verdict == duplicate && entry.event && entry.body) events.insert(entry.event->dedup_key);
    return {events.begin(), events.end()};
}

void CallbackRows::mask_all_but(std::set<crypto::Digest> kept) {
    for (store::CallbackEntry& entry : entries_) {
        if (!entry.body) continue;
        const bool is_known =
            entry.verdict == duplicate && entry.event && !kept.insert(entry.event->dedup_key).second;
        if (is_known) {
            entry.body.reset();
            entry.headers = {};
        } else {
            entry.body = own(redact::masked_to_keep(*entry.body));
        }
    }
}

}  // namespace sluice::consumer
