#pragma once

#include <memory>

#include "command/call/call_executor.hpp"
#include "common/config/section.hpp"
#include "common/config/settings/connections.hpp"

namespace sluice::command {

/// What commands that are calls need of the file beside themselves.
struct CallSettings {
    CallKeys keys;                ///< of each of them
    config::RedisSettings redis;  ///< one server; where none has its record there: none
};

/// Secrets that cannot be read, or are none, are `problems`.
[[nodiscard]] std::shared_ptr<const CallSettings> read_calls(const CommandSet& set,
                                                             const config::Document& document,
                                                             config::Problems& problems);

/// `effects` alone where no command of `set` is a call.
[[nodiscard]] std::unique_ptr<Executor> with_calls(std::unique_ptr<Executor> effects, const CommandSet& set,
                                                   const ExecutionSettings& settings, const Around& around,
                                                   std::shared_ptr<const CallSettings> calls);

}  // namespace sluice::command
