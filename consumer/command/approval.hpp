#pragma once

#include <array>
#include <chrono>
#include <span>

#include "consumer/command/command.hpp"

/// Commands that take two operators (`operators.two_for`). The first operator's signed bytes are kept only in
/// the file that sluicectl writes. The second operator's approval goes with them in one record, and the retry
/// role verifies both signatures when it obeys. Pure.
namespace sluice::command {

/// Commands that two operators may be asked for. The others run what the provider signed, by the rules in
/// force.
inline constexpr std::array may_take_two{store::ActionKind::edit, store::ActionKind::skip,
                                         store::ActionKind::close};

/// Whether a command with these settings takes a second operator. `edit` is any command that may run a body
/// which no provider's signature vouches for.
[[nodiscard]] bool takes_two(const Command& command, std::span<const store::ActionKind> two_for) noexcept;

/// How long a proposal may wait for its second operator.
inline constexpr std::chrono::hours proposal_lives{24};
/// How far ahead the clock of the first operator's machine may be.
inline constexpr std::chrono::minutes clock_grace{5};

/// Whether the proposal is too old, or its time lies too far ahead: else its writer could choose its age.
[[nodiscard]] bool has_lapsed(WallTime requested_at, WallTime now) noexcept;

/// Why a command that two have given is refused all the same: "lapsed"; "inconsistent" where it names no
/// entry though it is about one, since the second operator was shown none. Empty: it is not.
[[nodiscard]] std::string_view objection_to_approved(const Command& command, WallTime now) noexcept;

}  // namespace sluice::command
