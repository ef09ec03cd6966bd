#pragma once

#include <cstdint>
#include <string>
#include <string_view>

/// The keys under which Redis keeps what the ingress knows of events.
namespace sluice::record {

/// Markers must not outlive the log they are about: another cluster, a recreated topic or a manual bump
/// gives other keys. 16 hex digits.
[[nodiscard]] std::string marker_epoch(std::string_view cluster_id, std::string_view topic_id,
                                       std::int64_t bump);

/// wh:<epoch>:<64 hex digits>
[[nodiscard]] std::string marker_key(std::string_view epoch, std::string_view dedup_key_in_hex);

}  // namespace sluice::record
