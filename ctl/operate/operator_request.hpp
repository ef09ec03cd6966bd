#pragma once

#include <optional>
#include <string>

#include "common/clock.hpp"
#include "consumer/command/command.hpp"

namespace sluice::ctl {

/// What an operator asks for, of one entry or event or of many.
struct OperatorRequest {
    store::ActionKind action = store::ActionKind::retry;
    store::ActionId run{};
    std::string operator_name;
    std::string reason;
    std::string host;
    std::string database_user;
    std::optional<std::string> body;  ///< of an edit
    bool unverified = false;          ///< of a retry or rerun: also what cannot be verified again
    std::string effect;               ///< of a rerun: this one alone; empty: all
    bool approves = false;            ///< another operator's proposal, whose file names the run
    bool with_behind = false;         ///< goes on with what comes up, which a new run finds by itself
};

/// What all commands of the request say alike; id and target are the caller's.
[[nodiscard]] command::Command signed_command(const OperatorRequest& request, WallTime now);

}  // namespace sluice::ctl
