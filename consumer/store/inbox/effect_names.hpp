#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The columns lane_event.effects and inbox.had_effects: names of effects as a JSON array of strings; of an
/// event in its lane those that matched it, in file order. Equal lists have equal texts, so that SQL may
/// compare them.
namespace sluice::store {

/// As much as lane_event.effects holds (deploy/mysql/0003_lane.sql), in bytes of that text.
inline constexpr std::size_t longest_effects = 32'768;

/// Instead of names: no process that knows the event's source has matched it yet. No effect has an empty
/// name, so that an earlier release takes it for an effect that it lacks, and waits too.
[[nodiscard]] std::vector<std::string> not_matched_yet();
[[nodiscard]] bool is_matched(std::span<const std::string> names) noexcept;

[[nodiscard]] std::string effects_text(std::span<const std::string> names);

/// What effects_text wrote. Any other text throws std::runtime_error: the table is not ours.
[[nodiscard]] std::vector<std::string> effects_from(std::string_view text);

}  // namespace sluice::store
