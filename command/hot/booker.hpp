#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <span>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "command/config/command_set.hpp"
#include "command/config/line_settings.hpp"
#include "command/execute/job_queue.hpp"
#include "command/execute/worker.hpp"
#include "command/hot/batch_pace.hpp"
#include "command/hot/book_batch.hpp"
#include "command/hot/booked_metrics.hpp"
#include "command/hot/line_member.hpp"
#include "command/hot/not_booked.hpp"
#include "command/hot/waiting_line.hpp"
#include "command/process/around.hpp"
#include "common/backoff.hpp"
#include "consumer/database/database_clock.hpp"
#include "consumer/store/driver/statement_watch.hpp"

namespace sluice::command {

/// Reads commands of hot accounts from Kafka and executes them, each once, with its row and its response
/// under its key. How far a partition is booked is committed after COMMIT; what is read again finds its key.
/// Nothing is left out: where MySQL does not answer, a partition waits. A command that fails for a minute, or
/// that is too old to be executed (is_too_old), gets a response that says so, and those behind it go on. A
/// thread of its own, which polls, and one that executes. Any number of processes share the partitions.
class Booker {
public:
    /// All outlive it. Throws config::Refused for settings that librdkafka refuses.
    Booker(const CommandSet& set, const LineSettings& settings, const Around& around);
    /// Ends what it has begun, commits it, and leaves the group.
    ~Booker();

private:
    void run(const std::stop_token& stop);
    void turn();
    void keep_member();
    void read_some();
    [[nodiscard]] bool has_full_batch() const;
    [[nodiscard]] bool has_some_due() const;
    [[nodiscard]] Milliseconds time_to_poll() const;
    [[nodiscard]] Waiting read(const rd_kafka_message_t& message);
    void book(std::span<Waiting* const> batch);
    void book_partition(std::span<Waiting* const> batch);
    [[nodiscard]] std::vector<Answer> executed(std::span<Waiting* const> batch);
    void settle(Waiting& one, const Answer& answer);
    void failed(Waiting& one, const std::string& why);
    void give_up(Waiting& one, NotBooked how, const std::string& why);
    void say_not_booked(Waiting& one, const std::string& why);
    [[nodiscard]] bool is_stored(const Waiting& one, NotBooked how);
    void try_later(std::int32_t partition);
    /// On the thread that executes; waits for its end. False: there is none any more.
    [[nodiscard]] bool do_there(std::function<void(Worker&)> what);

    const CommandSet& set_;
    const LineSettings& settings_;
    const Around around_;
    consumer::DatabaseClock clock_;  // the rows' own: a machine's may be stepped by a day
    BookedMetrics metrics_;
    store::StatementWatch watch_;
    consumer::ServerMoves moves_;
    JobQueue queue_;
    std::unique_ptr<Worker> worker_;
    BookBatch together_;  // the worker's
    Random random_{std::random_device{}()};
    std::map<std::int32_t, int> failures_;  // in a row, of each partition
    WaitingLine line_;
    BatchPace pace_;
    std::unique_ptr<LineMember> member_;
    std::jthread thread_;  // last: starts when all else is there
};

}  // namespace sluice::command
