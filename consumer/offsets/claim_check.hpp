#pragma once

#include <cstdint>
#include <optional>

#include "common/log.hpp"
#include "common/metrics.hpp"
#include "consumer/apply/transaction.hpp"
#include "consumer/offsets/partitions.hpp"
#include "consumer/store/connection.hpp"

namespace sluice::consumer {

/// Lets nothing be claimed over a connection before what MySQL holds of the applied offsets was compared with
/// what we believe: once for each connection and each assignment. Where MySQL holds less, a seek-back is
/// asked for. Claims of a log that was cut since are forgotten first: they would hide what a later fail-over
/// loses. One worker's.
class ClaimCheck {
public:
    /// All outlive it.
    ClaimCheck(Partitions& partitions, const ClaimantName& claimant, Log& log, Metrics& metrics)
        : partitions_{partitions}, claimant_{claimant}, log_{log}, metrics_{metrics} {}

    enum class Verdict {
        passed,   ///< claims may be written
        seeking,  ///< a seek-back is under way: ask again soon
        failed,   ///< the question could not be asked
    };
    /// `session` tells connections apart (Database::session).
    [[nodiscard]] Verdict pass(store::Connection& connection, std::uint64_t session);

private:
    [[nodiscard]] Verdict compare(store::Connection& connection);
    [[nodiscard]] Verdict forget_void_claims(store::Connection& connection,
                                             const std::vector<ToCheck>& partitions);
    void seek_back(const ToCheck& partition, std::optional<std::int64_t> applied, AppliedCheck verdict);

    Partitions& partitions_;
    const ClaimantName& claimant_;
    Log& log_;
    Metrics& metrics_;
    std::uint64_t session_ = 0;
    std::uint64_t checked_changes_ = 0;
};

}  // namespace sluice::consumer
