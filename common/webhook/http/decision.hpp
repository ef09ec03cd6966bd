#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace sluice::webhook {

/// The header in which an answer of success says what became of the request. No other answer has it, so a
/// sender without a key never gets it.
inline constexpr std::string_view decision_header = "Sluice-Decision";

/// All that it says: Kafka has a new event, had it already, or has a request that the recipe cannot read. Of
/// a delivery with several events: one is new, none is, or not one that is new can be read.
inline constexpr std::array<std::string_view, 3> decisions{"accepted", "duplicate", "quarantined"};

/// The one of `decisions` that `text` is; empty where it is none. Lives for ever.
[[nodiscard]] constexpr std::string_view decision_from(std::string_view text) noexcept {
    const auto* const known = std::ranges::find(decisions, text);
    return known == decisions.end() ? std::string_view{} : *known;
}

}  // namespace sluice::webhook
