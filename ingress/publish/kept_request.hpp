#pragma once

#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "common/clock.hpp"
#include "common/record/event_record.hpp"
#include "common/webhook/extract/items.hpp"
#include "common/webhook/http/request.hpp"
#include "common/webhook/recipe/source.hpp"

namespace sluice::publish {

/// An authentic request as a separate record: the body byte for byte under its own SHA-256, with what is
/// needed to verify and read it again later. Owns its text.
struct KeptRequest {
    std::string key;
    std::vector<std::pair<std::string, std::string>> headers;

    /// Views into `headers`.
    [[nodiscard]] std::vector<record::HeaderView> header_views() const;
};

/// The whole of a delivery with several events (topic originals).
[[nodiscard]] KeptRequest original_record(const webhook::Source& source, const webhook::Request& request,
                                          std::string_view key_id, WallTime received_at,
                                          std::string_view traceparent);

/// What the recipe cannot read (topic quarantine).
[[nodiscard]] KeptRequest quarantine_record(const webhook::Source& source, const webhook::Request& request,
                                            std::string_view key_id, WallTime received_at,
                                            std::string_view traceparent, const webhook::Unread& why);

/// Of one item of a delivery: which it is, and what only the whole says of it.
void name_item(KeptRequest& record, const webhook::Item& item);

/// The reason's word in records, logs and metrics; a closed set.
[[nodiscard]] std::string_view quarantine_reason(std::error_code why) noexcept;

}  // namespace sluice::publish
