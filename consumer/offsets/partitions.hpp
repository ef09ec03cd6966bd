#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "common/clock.hpp"
#include "consumer/offsets/finished_prefix.hpp"
#include "consumer/offsets/leader_epochs.hpp"
#include "consumer/record/record.hpp"

namespace sluice::consumer {

/// "MySQL holds everything below `next_offset` of this partition": written last in a transaction.
struct AppliedOffset {
    std::int32_t partition = 0;
    std::uint64_t generation = 0;
    std::int64_t next_offset = 0;
};

/// A partition as a connection has to check it before it writes applied offsets.
struct ToCheck {
    std::int32_t partition = 0;
    std::uint64_t generation = 0;
    std::int64_t known = 0;  ///< what MySQL was known to hold, or Kafka to have stored
    std::int64_t log_start = 0;
    bool had_row = false;  ///< MySQL had a row: its write was answered, or Kafka had an offset
    bool has_begun =
        false;  ///< records above `known` were handed out: no applied offset tells what became of them
    bool rows_are_void = false;  ///< what MySQL holds is about records that the log has lost
    std::optional<std::int64_t> read_since_cut{};  ///< behind all that was; nullopt: the log was not cut
    bool was_sought_to_start = false;              ///< what MySQL lacks below `log_start` is nowhere
};

/// Why MySQL may lack what was read in a partition although its applied offsets do not show it.
enum class Doubt {
    none,
    session_lost,  ///< it was read under a session that was lost since
    server_moved,  ///< and the session that asks is on another server
};

/// What the check of one partition came to. Pure: see `check_applied`.
enum class AppliedCheck {
    good,      ///< MySQL holds what we believe, or more
    behind,    ///< a fail-over lost commits: read again from what it holds
    unknown,   ///< no row although there was one: read the whole log again
    in_doubt,  ///< what was handed out above the applied offsets may be lost: read that again
    lost,  ///< applied offsets may be about records that the log has lost: forget them and read the whole log
           ///< again
};

/// `applied`: the maximum over MySQL's rows, if there is one.
[[nodiscard]] AppliedCheck check_applied(const ToCheck& partition, std::optional<std::int64_t> applied,
                                         Doubt doubt = Doubt::none) noexcept;

/// The assigned partitions: seek generations, finished offsets, applied offsets. The poll thread assigns,
/// rewinds, begins and stores; workers finish and write. Work of an older generation is ignored, so that a
/// zombie's work can never move an offset. Thread-safe.
class Partitions {
public:
    /// When what is read may be stored in Kafka.
    enum class StoredOnce {
        applied,   ///< MySQL holds it as applied; then all records are of topic 0
        finished,  ///< and nothing is written to MySQL: the sweeper makes what a fail-over loses once more
    };
    explicit Partitions(StoredOnce stored_once = StoredOnce::applied) : stored_once_{stored_once} {}

    // Poll thread.
    void assign(Place place, std::optional<LogPosition> committed, std::int64_t log_start);
    void revoke_all();
    /// The log was cut below what was read: all of it is read again. The offsets that are known, applied and
    /// committed are about records that are gone, and other records get the same offsets: nothing is written
    /// before MySQL's rows are forgotten, and what is stored then may be lower than before.
    void restart(std::int32_t partition, std::int64_t log_start);
    /// How many records of the partition were handed out and are not finished.
    [[nodiscard]] std::size_t unfinished(std::int32_t partition) const;
    /// Tags a polled record with its partition's generation; nullopt when the partition is not ours. An
    /// offset below one already begun starts a new generation there.
    [[nodiscard]] std::optional<std::uint64_t> begin(Place place, LogPosition record, WallTime received_at);
    /// Seek-backs that workers asked for and that are not done yet. The epoch is that of the record below,
    /// where there is one and it is known.
    struct Rewind {
        std::int32_t partition = 0;
        LogPosition to;
    };
    [[nodiscard]] std::vector<Rewind> pending_rewinds() const;
    /// The seek is done: records from here on are of a new generation. What was asked for below `to`
    /// meanwhile stays pending.
    void rewound(std::int32_t partition, LogPosition to);
    /// Offsets that may be stored in Kafka now: of each partition the largest offset that is applied or
    /// finished (StoredOnce) and above what was stored.
    struct Storable {
        Place place;
        std::uint64_t generation = 0;
        std::int64_t offset = 0;
        std::int32_t leader_epoch = unknown_epoch;
        bool is_first = false;  ///< of its generation: may be lower than what is committed
    };
    [[nodiscard]] std::vector<Storable> storable() const;
    void stored(const Storable& what);

    // Workers.
    [[nodiscard]] bool is_current(const Coordinates& at) const;
    [[nodiscard]] std::uint64_t changes() const noexcept;  ///< grows with every assign, revoke and rewind
    [[nodiscard]] std::uint64_t newest_generation() const;
    [[nodiscard]] std::vector<ToCheck> to_check() const;
    /// MySQL's rows of the partition are void (`restart`), and the caller is the one to forget them; it
    /// says by `forgot` how it ended.
    [[nodiscard]] bool begin_forgetting(std::int32_t partition, std::uint64_t generation);
    void forgot(std::int32_t partition, std::uint64_t generation, bool done);
    /// MySQL's rows of the partition are void after all, and the whole log is to be read again, even where
    /// a seek-back is due already. A row as far as `applied` is void only where it lies outside what is
    /// known and was read. Returns whether that is so and new.
    bool distrust(std::int32_t partition, std::uint64_t generation, std::optional<std::int64_t> applied);
    /// Asks for a seek-back, unless the partition has moved on since `generation`. Returns whether it is new.
    bool ask_rewind(std::int32_t partition, std::uint64_t generation, std::int64_t offset);
    /// What a transaction that applies `applied` (any order) may write as applied, one offset per partition.
    [[nodiscard]] std::vector<AppliedOffset> offsets_with(const std::vector<Coordinates>& applied) const;
    /// Partitions whose prefix is ahead of every answered write.
    [[nodiscard]] std::vector<AppliedOffset> unwritten() const;
    /// The transaction's commit was answered.
    void answered(const std::vector<Coordinates>& applied, const std::vector<AppliedOffset>& offsets);
    /// RunEnd without its own transaction; a later write covers it.
    void finish(const Coordinates& at);
    void set_waiting(const Coordinates& at, bool waiting);

    struct Lag {
        Place place;
        std::optional<WallTime> oldest_due;
        std::size_t unfinished = 0;
        std::int64_t prefix = 0;
    };
    [[nodiscard]] std::vector<Lag> lags() const;

private:
    /// MySQL's rows. Those voided while they are being forgotten are forgotten once more.
    enum class Rows { valid, voided, being_forgotten, voided_again };
    struct State {
        std::uint64_t generation;
        FinishedPrefix offsets;
        LeaderEpochs epochs;
        std::int64_t known;          // answered writes, the applied maximum, Kafka's committed offset
        std::int64_t answered = -1;  // the largest answered offset of this generation
        std::int64_t stored = -1;    // what the Kafka client took
        std::int64_t log_start = 0;
        bool had_committed = false;
        Rows rows = Rows::valid;
        std::uint64_t cut_at = 0;         // rows of older generations are void; 0: its log was not cut
        std::int64_t read_since_cut = 0;  // behind all that was
        bool was_sought_to_start = false;
        std::optional<std::int64_t> rewind_to;

        /// The worker that was forgetting may find another generation at the end.
        void leave_rows_undecided() {
            if (is_forgetting()) rows = Rows::voided;
        }
        [[nodiscard]] bool is_forgetting() const {
            return rows == Rows::being_forgotten || rows == Rows::voided_again;
        }
        [[nodiscard]] bool may_be_written() const { return !rewind_to && rows == Rows::valid; }
    };
    void begin_anew(Place place, std::optional<LogPosition> committed, std::int64_t log_start, Rows rows);
    void void_again(const AppliedOffset& one);
    [[nodiscard]] std::int64_t may_be_stored(const State& state) const;
    State* current(Place place, std::uint64_t generation);
    const State* current(Place place, std::uint64_t generation) const;

    const StoredOnce stored_once_;
    mutable std::mutex mutex_;
    std::map<Place, State> states_;
    std::uint64_t last_generation_ = 0;
    std::atomic<std::uint64_t> changes_ = 0;
};

}  // namespace sluice::consumer
