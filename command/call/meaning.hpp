#pragma once

#include <optional>

#include "command/call/exchange.hpp"
#include "command/config/call_definition.hpp"
#include "command/record/call_record.hpp"

/// What answers of a service say. Pure.
namespace sluice::command {

/// Of the call itself; nullopt: it may have been executed or not. 2xx and 4xx are first responses, unless the
/// definition says that the status means that nothing was done, or does not say. 3xx and 5xx say nothing.
[[nodiscard]] std::optional<CallEnd> meaning_of(const Exchanged& exchanged, const CallDefinition& call);

/// Of the query; nullopt: not known yet.
[[nodiscard]] std::optional<CallEnd> meaning_of(const Exchanged& exchanged, const CallQuery& query);

/// Where nobody can be asked.
[[nodiscard]] CallEnd nobody_knows();

}  // namespace sluice::command
