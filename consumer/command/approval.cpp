#include "consumer/command/approval.hpp"

#include <algorithm>

namespace sluice::command {

bool takes_two(const Command& command, std::span<const store::ActionKind> two_for) noexcept {
    const auto kind = command.unverified ? store::ActionKind::edit : command.action;
    return std::ranges::contains(two_for, kind);
}

bool has_lapsed(WallTime requested_at, WallTime now) noexcept {
    return now - requested_at > proposal_lives || requested_at - now > clock_grace;
}

std::string_view objection_to_approved(const Command& command, WallTime now) noexcept {
    if (has_lapsed(command.requested_at, now)) return "lapsed";
    const bool is_about_an_entry = command.action != store::ActionKind::rerun;
    return is_about_an_entry && !command.dead_letter ? "inconsistent" : "";
}

}  // namespace sluice::command
