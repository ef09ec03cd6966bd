#pragma once

#include <cstdint>
#include <optional>

#include "common/telemetry/log.hpp"
#include "common/telemetry/metrics.hpp"
#include "consumer/apply/applied_offsets.hpp"
#include "consumer/offsets/partitions.hpp"
#include "consumer/store/driver/connection.hpp"

namespace sluice::consumer {

/// Lets no applied offset be written over a connection before what MySQL holds of the applied offsets was
/// compared with what we believe: once for each connection and each assignment. Where MySQL holds less, a
/// seek-back is asked for. Rows of a log that was cut since are forgotten first: they would hide what a later
/// fail-over loses.
///
/// An applied offset covers what lies below it. None shows what was committed above it while an earlier event
/// was not finished, and a fail-over may have lost just that. So a connection that follows a lost one, or one
/// to another server, also has everything read again that was handed out above the applied offsets before it
/// was opened; what MySQL holds of it is known as a duplicate. This relies on the previous server taking no
/// commit once the new one can be reached. One worker's.
class AppliedOffsetCheck {
public:
    /// All outlive it.
    AppliedOffsetCheck(Partitions& partitions, const OffsetWriter& writer, Log& log, Metrics& metrics)
        : partitions_{partitions}, writer_{writer}, log_{log}, metrics_{metrics} {}

    enum class Verdict {
        passed,   ///< applied offsets may be written
        seeking,  ///< a seek-back is under way: ask again soon
        failed,   ///< the question could not be asked
    };
    struct Session {
        std::uint64_t number = 0;  ///< tells connections apart (Database::session)
        bool is_doubtful = false;  ///< the one before was lost, or was on another server
        bool has_moved = false;    ///< it was on another server
    };
    [[nodiscard]] Verdict pass(store::Connection& connection, Session session);

private:
    [[nodiscard]] Verdict compare(store::Connection& connection);
    [[nodiscard]] Verdict forget_void_rows(store::Connection& connection,
                                           const std::vector<ToCheck>& partitions);
    [[nodiscard]] Doubt doubt_of(const ToCheck& partition) const;
    void act(const ToCheck& partition, std::optional<std::int64_t> applied, AppliedCheck check);
    void seek_back(const ToCheck& partition, std::optional<std::int64_t> applied, AppliedCheck check);
    void read_all_again(const ToCheck& partition, std::optional<std::int64_t> outside);
    void read_again(const ToCheck& partition);

    Partitions& partitions_;
    const OffsetWriter& writer_;
    Log& log_;
    Metrics& metrics_;
    std::uint64_t session_ = 0;
    std::uint64_t checked_changes_ = 0;
    std::uint64_t in_doubt_up_to_ = 0;  // generations from before the session; 0: it has passed
    bool has_moved_ = false;            // since one has passed
};

}  // namespace sluice::consumer
