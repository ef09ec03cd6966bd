#pragma once

#include <span>
#include <vector>

#include "command/config/command_set.hpp"
#include "command/execute/together.hpp"
#include "command/execute/worker.hpp"
#include "command/hot/waiting_line.hpp"
#include "common/clock.hpp"

namespace sluice::command {

/// Whether the command needs nothing more: its response is stored.
[[nodiscard]] bool is_booked(const Answer& answer);

/// Whether the row of the key may have been there and be kept no longer, so that executing the command now
/// could be a second time: `accepted_at` three quarters of `keep` ago, both by MySQL's clock. Pure.
[[nodiscard]] bool is_too_old(const Definition& definition, const Request& request, WallTime now);

/// Executes commands that wait in one partition: those that can share a transaction do so. On the thread of
/// the worker.
class BookBatch {
public:
    /// `set` outlives it.
    explicit BookBatch(const CommandSet& set) : set_{set}, together_{set} {}

    /// The answers of those in front, at most 256, each of another key. It stops where one is not booked;
    /// only those that shared a transaction with it are booked before it. What is too old is `not_known`, and
    /// not executed.
    [[nodiscard]] std::vector<Answer> book(std::span<Waiting* const> batch, Worker& worker,
                                           const Clock& clock);

private:
    using Batch = std::span<Waiting* const>;
    [[nodiscard]] std::size_t that_share(Batch batch, WallTime now) const;
    [[nodiscard]] std::vector<Answer> shared(Batch batch, Worker& worker, const Clock& clock);
    [[nodiscard]] Answer alone(Waiting& one, Worker& worker, const Clock& clock) const;

    const CommandSet& set_;
    Together together_;
};

}  // namespace sluice::command
