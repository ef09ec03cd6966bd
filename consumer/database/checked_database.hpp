#pragma once

#include "consumer/apply/claims.hpp"
#include "consumer/database/claim_check.hpp"
#include "consumer/database/database.hpp"

namespace sluice::consumer {

/// A worker's way to a MySQL over which it may claim offsets: each connection is compared with what we
/// believe before it is used (ClaimCheck), and each claim says on which server that was: a proxy may move a
/// session. One worker's.
class CheckedDatabase {
public:
    /// All but `claimant` outlive it.
    CheckedDatabase(Database& database, Partitions& partitions, ClaimantName claimant, Log& log,
                    Metrics& metrics)
        : database_{database},
          partitions_{partitions},
          claimant_{std::move(claimant)},
          check_{partitions, claimant_, log, metrics} {}

    [[nodiscard]] const ClaimantName& claimant() const noexcept { return claimant_; }

    /// nullptr while there is none that claims may be written over; Database::next_try says when to ask
    /// again.
    [[nodiscard]] store::Connection* ready();
    /// Claims what is finished and no transaction covered, and keeps an idle session alive. Returns whether
    /// that was possible.
    bool claim_rest();

private:
    Database& database_;
    Partitions& partitions_;
    ClaimantName claimant_;
    ClaimCheck check_;
    std::uint64_t session_ = 0;
    bool is_doubtful_ = true;  // commits of before may be gone; until a session has passed
};

}  // namespace sluice::consumer
