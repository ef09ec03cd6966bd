#pragma once

#include <expected>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "command/config/command_set.hpp"
#include "command/config/definition.hpp"
#include "command/execute/attempt.hpp"
#include "command/execute/job_queue.hpp"
#include "command/execute/together.hpp"
#include "command/process/around.hpp"
#include "command/request/answer.hpp"
#include "command/request/request.hpp"
#include "consumer/database/database.hpp"
#include "consumer/store/command/command_key.hpp"

namespace sluice::command {

/// What all workers of a process share; outlives them.
struct Shared {
    const Around& around;
    JobQueue& queue;
    const CommandSet& set;
    consumer::ServerMoves& moves;
    consumer::EffectLimits limits;
};

/// A thread with a session on MySQL, which takes jobs from the queue until that is closed; then what it has
/// begun is finished. Commands that wait when it takes one, and can, share a transaction with it. `execute`,
/// `look_up` and `known` are for the jobs.
class Worker {
public:
    explicit Worker(const Shared& shared);

    /// Once: whatever is tried again here was rolled back before.
    [[nodiscard]] Answer execute(const Definition& definition, const Request& request);
    [[nodiscard]] std::expected<Standing, std::string> look_up(const crypto::Digest& key);
    /// What is committed of these keys, 256 at most. Else why MySQL cannot tell.
    [[nodiscard]] std::expected<std::map<crypto::Digest, store::KnownCommandKey>, std::string> known(
        std::span<const crypto::Digest> keys);
    /// For what else a job has to do; nullptr while there is none.
    [[nodiscard]] store::Connection* session() { return database_.ready(); }
    /// Something was committed on it.
    void worked() { database_.worked(); }
    /// Of many that shared a transaction none is done, and each goes alone.
    void undone() { undone_.Increment(); }

private:
    void run();
    void work_at(const Job& job);
    /// With those that can share its transaction and wait now; alone where there is none.
    void work_together(Job first);
    using Answers = std::vector<std::optional<Answer>>;
    /// In the order of `jobs`; nullopt: it has to go alone.
    [[nodiscard]] Answers execute_together(const std::vector<Job>& jobs);
    [[nodiscard]] Answers answers_of(std::span<const PreparedCommand* const> commands, Together::All all);
    void tell(std::vector<Job> jobs, Answers answers);
    void keep_session();
    /// nullptr: MySQL is away, or has moved to another server.
    [[nodiscard]] store::Connection* again_on_same_server();
    [[nodiscard]] Answer settled(const PreparedCommand& command, Attempted attempted,
                                 store::Connection* connection, Milliseconds time);
    [[nodiscard]] static Answer no_database();
    [[nodiscard]] Answer told(const PreparedCommand& command, Attempted attempted);
    [[nodiscard]] Result<Standing> standing(const crypto::Digest& key, store::Connection& connection) const;

    Shared shared_;
    Random random_;
    consumer::Database database_;
    Together together_;
    Counter& undone_;
    std::jthread thread_;  // last: starts when all else is there
};

}  // namespace sluice::command
