#pragma once

#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "command/config/definition.hpp"
#include "command/execute/deadlines.hpp"
#include "command/execute/executor.hpp"
#include "command/execute/job_queue.hpp"
#include "command/execute/worker.hpp"
#include "command/process/around.hpp"
#include "consumer/database/database_clock.hpp"
#include "ingress/outlet/parcel.hpp"

namespace sluice::command {

/// Takes commands of hot accounts: those that arrive together are looked up with one SELECT, and what is not
/// known goes into Kafka. A caller is told `accepted` only when Kafka has the command for certain. Threads of
/// its own, so that nobody else waits for them. Thread-safe.
class Acceptor {
public:
    /// outlet::Outlet::deliver.
    using Deliver =
        std::function<std::vector<outlet::Kept>(std::span<const outlet::Parcel>, Milliseconds within)>;

    /// All outlive it. `most`: how many may wait.
    Acceptor(const CommandSet& set, const Around& around, Deliver deliver, std::size_t most);
    /// Turns away what waits, and finishes what it has begun.
    ~Acceptor();

    /// `done` as that of Executor::execute.
    void accept(const Definition& definition, std::string account, Request request, Executor::Done done);
    /// Since when a command with this key may be on its way into Kafka from here; nullopt: none is.
    [[nodiscard]] std::optional<WallTime> since(const crypto::Digest& key) const;

private:
    struct Asked;
    struct Outgoing;
    using Batch = std::vector<std::shared_ptr<Asked>>;

    void work(Worker& worker);
    void forward(Worker& worker, const Batch& batch);
    /// Something was thrown: of those that nobody was told of yet, any may be in Kafka.
    void give_up(const Batch& batch, const std::exception& error);
    [[nodiscard]] Batch take();
    [[nodiscard]] Batch not_known(Worker& worker, Batch batch);
    /// At MySQL's clock.
    [[nodiscard]] bool has_looked(Worker& worker);
    [[nodiscard]] std::deque<Outgoing> prepared(const Batch& batch);
    void send(std::deque<Outgoing>& commands);
    void may_still_arrive(const crypto::Digest& key);
    void tell(Asked& asked, Answer answer);
    void turn_away_all();

    /// Requests with one key, of which each may get into Kafka.
    struct OnItsWay {
        WallTime since{};
        int requests = 0;  ///< nobody was told of them yet
        std::optional<SteadyTime>
            until{};  ///< nobody said whether Kafka has one: until then it may come there
        [[nodiscard]] bool is_over(SteadyTime now) const { return requests == 0 && (!until || *until < now); }
    };

    const Around& around_;
    const Deliver deliver_;
    const std::size_t most_;
    mutable std::mutex mutex_;
    std::deque<std::shared_ptr<Asked>> waiting_;
    std::map<crypto::Digest, OnItsWay> on_their_way_;
    consumer::DatabaseClock clock_;  // bookers judge by it how old a command is
    consumer::ServerMoves moves_;
    JobQueue queue_;
    Deadlines deadlines_;
    std::vector<std::unique_ptr<Worker>> workers_;  // last: they end first
};

}  // namespace sluice::command
