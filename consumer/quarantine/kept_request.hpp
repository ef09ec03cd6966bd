#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/record/event_record.hpp"
#include "common/webhook/extract/arrival.hpp"
#include "common/webhook/http/request.hpp"
#include "common/webhook/recipe/source.hpp"

namespace sluice::consumer {

/// An authentic request that the ingress could not read, out of its record in the quarantine topic
/// (ingress/publish/kept_request.hpp writes them). The views are the headers'.
struct KeptRequest {
    std::string_view source;
    std::string_view provider;
    std::string_view principal;
    std::string_view reason;     ///< why it could not be read: a word of a closed set
    std::string_view detail;     ///< the same as a sentence; empty: its ingress was of an earlier release
    webhook::Arrival arrival{};  ///< without tracestate
    std::string target;
    std::vector<webhook::HeaderField> fields;  ///< those that were kept

    // Of one item of a delivery whose other items could be read.
    std::optional<std::uint32_t> item;
    std::optional<crypto::Digest> original;
    std::optional<bool> livemode;  ///< where only the whole delivery says it
};

/// nullopt: no source is named, or when it came is not said. It is not ours.
[[nodiscard]] std::optional<KeptRequest> kept_request_from(std::span<const record::HeaderView> headers);

/// The source that took it, or, where that goes by another name now, one of its principal; nullptr: this
/// configuration has none.
[[nodiscard]] const webhook::Source* source_of(const KeptRequest& request, const webhook::SourceSet& sources);

}  // namespace sluice::consumer
