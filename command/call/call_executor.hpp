#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "command/config/command_set.hpp"
#include "command/execute/executor.hpp"
#include "command/process/around.hpp"
#include "command/record/call_record.hpp"
#include "common/secret.hpp"

namespace sluice::command {

/// Keys that sign, by the name of the command.
using CallKeys = std::map<std::string, std::vector<Secret>, std::less<>>;
/// A record for one thread.
using MakeRecord = std::function<std::unique_ptr<CallRecord>(const Definition&)>;

/// Executes the commands of `set` that are calls (command/call/call_work.hpp), on threads of its own for each
/// command; one for look-ups, one that tells who has waited for long enough, and one that settles. Destroyed,
/// it turns away what waits (`unavailable`), for all commands at once, and waits for requests that were sent,
/// at most `within`, and for the record. `set` outlives it, and what `around` refers to. `keys` has each of
/// the calls.
[[nodiscard]] std::unique_ptr<Executor> make_call_executor(const CommandSet& set, std::size_t queue,
                                                           const Around& around,
                                                           std::shared_ptr<const CallKeys> keys,
                                                           MakeRecord make_record);

}  // namespace sluice::command
