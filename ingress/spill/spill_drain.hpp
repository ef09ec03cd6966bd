#pragma once

#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "common/clock.hpp"
#include "common/telemetry/log.hpp"
#include "ingress/asio/asio.hpp"
#include "ingress/asio/waiter.hpp"
#include "ingress/publish/publisher.hpp"
#include "ingress/spill/journal.hpp"
#include "ingress/spill/progress.hpp"
#include "ingress/spill/spilled_record.hpp"
#include "ingress/spill/turns.hpp"

namespace sluice::spill {

/// Of a coroutine that must not end unseen: what it throws ends the process, and the next one goes on.
inline void rethrow(const std::exception_ptr& thrown) {
    if (thrown) std::rethrow_exception(thrown);
}

/// The journal's way into Kafka, in passes from its oldest record to its newest. One record of a key is on
/// its way at a time, so what fails is overtaken by none of its key, which waits for the next pass; others go
/// on. Runs on one io_context.
class SpillDrain {
public:
    struct Edges {
        publish::Publisher& publisher;
        /// Kafka has it now.
        std::function<void(const dedup::Marker&)> confirm;
        /// The journal has records for this topic, which needs more than events and quarantine do.
        std::function<void()> needs_originals;
    };

    static constexpr std::size_t most_on_their_way = 64;
    static constexpr std::chrono::seconds acked_within{5};
    static constexpr std::chrono::milliseconds look_every{100};
    static constexpr std::chrono::milliseconds next_look_after{5};  ///< where records come all the time
    static constexpr std::chrono::seconds next_pass_after{1};       ///< where something has failed

    /// Everything given outlives it.
    SpillDrain(ingress::asio::io_context& io, Edges edges, const Folder& folder, Journal& journal,
               Backlog& backlog, const Clock& clock, Log& log, SpillMetrics& metrics);

    /// Counts what an earlier process left; all goes to the journal meanwhile. Blocks, until `stop` at most.
    void count_found();
    /// Until `stop`.
    [[nodiscard]] ingress::Task<void> run();
    void stop() { is_stopping_ = true; }  ///< any thread
    /// One pass over what is there.
    [[nodiscard]] ingress::Task<void> pass();
    [[nodiscard]] bool is_idle() const noexcept { return on_their_way_.empty(); }

private:
    struct Draining {
        Mark mark{};
        Progress progress;
        bool is_damaged = false;
        bool is_left_out = false;  ///< it cannot be read: nothing of it may be brought late
    };
    [[nodiscard]] bool count(const Journal::Part& part);
    [[nodiscard]] Draining* draining_of(const Journal::Part& part);
    [[nodiscard]] std::optional<std::string> read(const Journal::Part& part);
    void judge_unread(const Journal::Part& part, std::error_code error);
    [[nodiscard]] SteadyTime::duration pause() const noexcept;
    /// False: it cannot be read now, and what comes behind it has to wait.
    [[nodiscard]] ingress::Task<bool> drain(Journal::Part part);
    [[nodiscard]] ingress::Task<void> drain_one(SegmentNumber number, std::size_t begin, std::size_t end,
                                                SpilledRecord record, KeyHash key);
    [[nodiscard]] ingress::Task<void> wait_for_turn(KeyHash key);
    void skip(const Journal::Part& part, Draining& draining, std::size_t begin, std::size_t end,
              bool is_torn);
    void retire_drained();
    void say_stuck(const publish::Record& record);
    [[nodiscard]] bool gives_up() const noexcept;

    ingress::asio::io_context& io_;
    Edges edges_;
    const Folder& folder_;
    Journal& journal_;
    Backlog& backlog_;
    const Clock& clock_;
    Log& log_;
    SpillMetrics& metrics_;

    std::atomic<bool> is_stopping_{false};
    std::map<SegmentNumber, Draining> draining_;
    std::set<KeyHash> on_their_way_;
    ingress::Waiter one_ended_;
    // Of this pass.
    std::set<KeyHash> failed_;
    std::size_t stored_ = 0;
    bool said_stuck_ = false;
};

}  // namespace sluice::spill
