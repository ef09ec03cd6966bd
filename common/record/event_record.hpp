#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/clock.hpp"
#include "common/crypto/digest.hpp"
#include "common/header_form.hpp"
#include "common/result.hpp"

namespace sluice::record {

/// One header as it is in a record. The views live as long as the record.
struct HeaderView {
    std::string_view name;
    std::string_view value;
};

/// Undated events share one bucket, whose partition is never dropped.
inline constexpr std::chrono::sys_days undated{std::chrono::year{1970} / 1 / 1};

/// What a record's headers say of its event. Owns its text: it outlives the message.
struct EventHeaders {
    std::string source;
    std::string provider;
    std::string principal;
    bool livemode = false;
    std::string event_id;
    std::string type;
    std::string object;  ///< empty without one
    std::optional<WallTime> occurred_at;
    std::string content_type;
    crypto::Digest dedup_key{};
    crypto::Digest content_digest{};
    std::chrono::sys_days event_day = undated;
    WallTime received_at{};
    std::string key_id;
    std::string keys;   ///< what its keys are made of (record::stamp_up_to); empty: not known
    std::string trust;  ///< empty: the signature covers all that is read; else webhook::Trust (sluice-trust)
    std::optional<std::uint32_t> item;       ///< which event of its delivery, from 0, where that had several
    std::optional<crypto::Digest> original;  ///< SHA-256 of that whole delivery
    std::string client;                      ///< the address that the request came from; empty: not known
    std::string traceparent;
    std::string tracestate;
    std::vector<std::pair<std::string, std::string>> http;  ///< without the "http-" prefix, as received

    /// It was read from the provider's list of events (webhook::Trust::api): nobody sent it.
    [[nodiscard]] bool is_polled() const noexcept { return trust == "api"; }
    [[nodiscard]] bool operator==(const EventHeaders&) const = default;
};

/// The headers that the ingress writes, in memory that is reused from record to record.
class EncodedHeaders {
public:
    EncodedHeaders() = default;
    explicit EncodedHeaders(HeaderForm form) : form_{form} {}

    /// The views live as long as `event` and until the next call. The order of headers is fixed (it is
    /// part of tests, not of the format).
    [[nodiscard]] std::span<const HeaderView> encode(const EventHeaders& event);

private:
    void add_packed(const EventHeaders& event);
    void add_separate(const EventHeaders& event);
    void add_cloud_event(const EventHeaders& event);
    void add(std::string_view name, std::string_view value) { views_.push_back({name, value}); }
    /// `write` appends to the text; what it wrote is the value.
    template <class Write>
    void add_written(std::string_view name, Write write);
    template <class Write>
    [[nodiscard]] std::string_view written(Write write);

    HeaderForm form_ = HeaderForm::cloudevents;
    std::string text_;  // values and names that exist nowhere else; never grows while views point into it
    std::vector<HeaderView> views_;
};

/// Whether EventHeaders::http is wanted: those are most of a record's headers, and few readers need them.
enum class HttpHeaders { read, left_out };

/// What the consumer reads, in either form. A header `sluice` says everything but the trace: what stands
/// beside it in separate headers is not read. errc::undecodable when it is there twice, or is not as
/// proto/event_header.proto says. Without it, errc::undecodable when a header it needs is missing, repeated
/// or malformed (all but ce_subject, ce_time, tracestate, sluice-keys, sluice-trust, sluice-item,
/// sluice-original, http-*). Of the first four the first counts, and a ce_time that is not RFC 3339 reads as
/// absent. ce_source must be <provider>/<principal>. content-type and sluice-key may be empty, not absent.
/// Unknown headers are ignored.
[[nodiscard]] Result<EventHeaders> decode(std::span<const HeaderView> headers,
                                          HttpHeaders http = HttpHeaders::read);

/// Whether a header of this name says what the event is, in either form, or carries its trace.
[[nodiscard]] bool describes_event(std::string_view name);

/// What a record has of one request header.
struct FoundHttp {
    std::size_t count = 0;
    std::string_view value{};  ///< of the first; a view of the record
};

/// In either form, of a record that can be decoded. `name` is that of a separate header: "http-x-id".
[[nodiscard]] FoundHttp find_http(std::span<const HeaderView> headers, std::string_view name);

/// Ids: SHA-256 over the length-prefixed (provider, principal, livemode, event id), livemode as the
/// text "live" or "test". Fixed forever: it is the key of the inbox.
[[nodiscard]] crypto::Digest dedup_key(std::string_view provider, std::string_view principal, bool livemode,
                                       std::string_view event_id);

/// The marker's value: SHA-256 over the length-prefixed (dedup key, content digest).
[[nodiscard]] crypto::Digest mark(const crypto::Digest& dedup_key, const crypto::Digest& content_digest);

/// <provider>/<principal>/<object id>, or the event id where the object is missing.
[[nodiscard]] std::string ordering_key(std::string_view provider, std::string_view principal,
                                       std::string_view object_or_event_id);
/// The same over a text that is used again.
void write_ordering_key(std::string& key, std::string_view provider, std::string_view principal,
                        std::string_view object_or_event_id);

}  // namespace sluice::record
