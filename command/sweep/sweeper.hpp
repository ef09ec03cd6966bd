#pragma once

#include <stop_token>
#include <thread>

#include "command/config/command_set.hpp"
#include "command/process/around.hpp"
#include "common/result.hpp"
#include "consumer/store/driver/connection.hpp"

namespace sluice::command {

/// A thread beside the path: asks the server whether it takes the commands' statements until it does, and
/// deletes keys that have expired every minute, in batches, each its own transaction. Any number of processes
/// may try: a named lock lets one at a time.
class Sweeper {
public:
    /// All outlive it.
    Sweeper(const CommandSet& set, const Around& around);

private:
    void run(const std::stop_token& stop);
    /// Whether all that was to be done could be done.
    [[nodiscard]] bool pass(const std::stop_token& stop);
    [[nodiscard]] bool check(store::Connection& connection);
    [[nodiscard]] Result<void> sweep(store::Connection& connection, const std::stop_token& stop);
    [[nodiscard]] Result<void> show_behind(store::Connection& connection);

    const CommandSet& set_;
    const Around& around_;
    Gauge& behind_;
    Counter& deleted_;
    Counter& failures_;
    bool is_checked_ = false;
    std::jthread thread_;  // last: starts when all else is there
};

/// Deletes what has expired until nothing has, `most` rows are gone (or up to 255 more), or `stop` is asked
/// for. How many rows.
[[nodiscard]] Result<std::int64_t> sweep_expired(store::Connection& connection, std::int64_t most,
                                                 const std::stop_token& stop);

}  // namespace sluice::command
