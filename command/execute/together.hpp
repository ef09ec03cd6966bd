#pragma once

#include <cstddef>
#include <expected>
#include <optional>
#include <span>
#include <vector>

#include "command/config/command_set.hpp"
#include "command/execute/attempt.hpp"
#include "command/execute/prepared_command.hpp"
#include "common/clock.hpp"
#include "consumer/effects/batch/batch_run.hpp"
#include "consumer/store/driver/connection.hpp"

namespace sluice::command {

/// How many commands share a transaction at most.
inline constexpr std::size_t most_together = 256;

/// Executes many commands in one transaction. Each answer, and each table, is as if they were executed one
/// after the other in their order; but one that has to go alone comes after them. What a rule of an effect
/// ends (a case with an answer) is taken out of the transaction and its response is stored with the others.
/// One worker's.
class Together {
public:
    /// Outlives it.
    explicit Together(const CommandSet& set);

    /// Whether commands of this definition may share a transaction: a set-based effect without `decide`, and
    /// no `select` in its answer.
    [[nodiscard]] static bool takes(const Definition& definition);

    using All = std::vector<std::optional<Attempted>>;
    /// What each came to, in their order: settled or doubtful, as of `attempt`. nullopt: nothing was done for
    /// it, and it has to go alone. `commands`: at most `most_together`, read, each of another key and of a
    /// definition that this takes. Whatever happens before the COMMIT, nothing is done for any. `time`: for
    /// all of its statements, so that a lock that one of them waits for does not hold up the others for long.
    [[nodiscard]] All attempt(std::span<const PreparedCommand* const> commands, store::Connection& connection,
                              SteadyTime now, Milliseconds time);

    /// Of `attempt`: nothing was done for any, and more than one has to go alone.
    [[nodiscard]] static bool is_undone(const All& all);

private:
    /// Nothing was done.
    struct Undone {
        std::optional<std::size_t> culprit;  ///< who has to go alone
        bool is_worth_a_try = false;         ///< another one, without the culprit
    };
    using Commands = std::span<const PreparedCommand* const>;
    [[nodiscard]] static Undone undone_by(const effects::BatchFailure& failure,
                                          std::span<const std::size_t> fresh);
    [[nodiscard]] std::expected<void, Undone> try_once(Commands commands, std::vector<std::size_t> asked,
                                                       All& all, store::Connection& connection,
                                                       SteadyTime now, Milliseconds time);
    /// How many responses were stored.
    [[nodiscard]] std::expected<std::size_t, Undone> carry_out(Commands commands,
                                                               std::vector<std::size_t> fresh, All& all,
                                                               store::Connection& connection, SteadyTime now);

    effects::BatchRun run_;
};

}  // namespace sluice::command
