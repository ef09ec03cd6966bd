#pragma once

#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "common/config/problems.hpp"
#include "common/result.hpp"
#include "consumer/effects/effect/lack.hpp"
#include "consumer/effects/outcome/outcome.hpp"
#include "consumer/effects/value/parameters.hpp"
#include "consumer/store/driver/connection.hpp"

/// What all kinds of effects say of values and statements that do not pass.
namespace sluice::effects {

/// Trying again cannot help where the data are at fault; 1062 of an effect is a business error, not a
/// duplicate event.
[[nodiscard]] Outcome outcome_of(std::error_code error);

/// The server does not prepare a statement of `effect`: a problem where it never will, an entry of `missing`
/// where it yet may. False when it said nothing about the statement.
[[nodiscard]] bool note_refused(const std::string& effect, const config::Place& place,
                                const store::ServerError& said, config::Problems& problems,
                                std::vector<Lack>& missing);

/// A problem where a statement of `effect` that changes `tables` may change what cannot be rolled back
/// (store::rollback_gap). A Failure: the question could not be asked.
[[nodiscard]] Result<void> note_rollback_gap(const std::string& effect, const config::Place& place,
                                             std::string_view tables, store::Connection& connection,
                                             config::Problems& problems);

}  // namespace sluice::effects
