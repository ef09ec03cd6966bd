#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/clock.hpp"
#include "consumer/store/dead_letter/operator_action.hpp"

namespace sluice::ctl {

/// A run of `sluicectl dlq retry` and the like has a UUID of version 8, whose first 48 bits are the highest
/// entry at the time of its plan: what dies again under a run is a new entry and so never part of it, however
/// often the run is resumed.
[[nodiscard]] store::ActionId new_run(std::int64_t highest_entry);

/// nullopt: no run of ours.
[[nodiscard]] std::optional<std::int64_t> highest_entry_of(const store::ActionId& run) noexcept;

/// A run of `sluicectl event rerun` has one of version 7, whose first 48 bits are the time of its plan in
/// milliseconds: what came later is never part of it.
[[nodiscard]] store::ActionId new_run_at(WallTime start);
/// nullopt: no run of ours.
[[nodiscard]] std::optional<WallTime> start_of(const store::ActionId& run) noexcept;

/// 0199ab00-0000-8000-8000-000000000001
[[nodiscard]] std::string uuid_text(const store::ActionId& id);
[[nodiscard]] std::optional<store::ActionId> uuid_from(std::string_view text);

}  // namespace sluice::ctl
