#pragma once

#include <string_view>

/// Kafka record headers (described in proto/README.md). All values are UTF-8 text
/// unless said otherwise. Written once by the ingress; retry and DLQ hops keep them untouched.
namespace sluice::record::header {

// all of an event but its trace, as a protobuf message (proto/event_header.proto); instead of those below
inline constexpr std::string_view packed = "sluice";

// CloudEvents 1.0, binary mode over Kafka
inline constexpr std::string_view ce_specversion = "ce_specversion";  // "1.0"
inline constexpr std::string_view ce_id = "ce_id";                    // the provider's event id
inline constexpr std::string_view ce_source = "ce_source";            // <provider>/<principal>
inline constexpr std::string_view ce_type = "ce_type";                // the provider's event type
inline constexpr std::string_view ce_subject = "ce_subject";          // object id; absent without one
inline constexpr std::string_view ce_time = "ce_time";  // RFC 3339; absent where the body has none
inline constexpr std::string_view cloud_events_version = "1.0";
inline constexpr std::string_view content_type = "content-type";
inline constexpr std::string_view traceparent = "traceparent";
inline constexpr std::string_view tracestate = "tracestate";

inline constexpr std::string_view source = "sluice-source";        // the source's name
inline constexpr std::string_view provider = "sluice-provider";    // stripe
inline constexpr std::string_view principal = "sluice-principal";  // acct_main
inline constexpr std::string_view livemode = "sluice-livemode";    // "true" or "false"
inline constexpr std::string_view dedup_key = "sluice-dedup-key";  // 64 lower-case hex digits
inline constexpr std::string_view digest = "sluice-digest";        // content digest, 64 hex digits
inline constexpr std::string_view event_day = "sluice-event-day";  // 2026-11-21, or "undated"
inline constexpr std::string_view no_event_day = "undated";
inline constexpr std::string_view received_at = "sluice-received-at";  // RFC 3339, microseconds
inline constexpr std::string_view key_id = "sluice-key";               // id of the key that matched
inline constexpr std::string_view keys = "sluice-keys";    // record::stamp_up_to: how keys were made
inline constexpr std::string_view trust = "sluice-trust";  // "none", "crc" or "type": the signature covers
                                                           // less than what is read; "api": none is there
inline constexpr std::string_view reconciled = "sluice-reconciled";  // id of the reconciliation that
                                                                     // found it missing
inline constexpr std::string_view http_prefix = "http-";             // request headers the signature covers

inline constexpr std::string_view client = "sluice-client";  // the address that the request came from

// batch deliveries
inline constexpr std::string_view item = "sluice-item";
inline constexpr std::string_view original = "sluice-original";

// quarantine: why the ingress could not read it, as a word and as a sentence (webhook::Unread), and the
// target's parameters where its recipe reads any
inline constexpr std::string_view quarantine_reason = "sluice-quarantine-reason";
inline constexpr std::string_view quarantine_detail = "sluice-quarantine-detail";
inline constexpr std::string_view query = "sluice-query";

// of a wakeup, with attempt and error_class below
inline constexpr std::string_view generation = "sluice-generation";  // which wakeup of its lane, decimal
inline constexpr std::string_view due_at = "sluice-due-at";  // RFC 3339, microseconds: not to be read before

// added by a dead-letter hop
inline constexpr std::string_view attempt = "sluice-attempt";
inline constexpr std::string_view error_class = "sluice-error-class";
inline constexpr std::string_view first_failed_at = "sluice-first-failed-at";
inline constexpr std::string_view body_left_out =
    "sluice-body-left-out";  // its bytes, decimal; MySQL has them

}  // namespace sluice::record::header
