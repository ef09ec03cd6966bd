#pragma once

#include <string>
#include <vector>

#include "consumer/offsets/partitions.hpp"
#include "consumer/store/driver/connection.hpp"

namespace sluice::consumer {

/// Who writes claims of applied offsets.
struct ClaimantName {
    std::string group;
    std::string topic_id;
    std::string name;      ///< process instance and worker
    std::string topic{};   ///< its name, for people
    std::string server{};  ///< store::server_name of the session
};

/// Last in a transaction: what MySQL holds once it is committed.
[[nodiscard]] Result<void> write_claims(store::Connection& connection, const ClaimantName& claimant,
                                        const std::vector<Claim>& claims);

/// Claims what is finished and no transaction covered, in its own transaction.
[[nodiscard]] Result<void> claim_finished(Partitions& partitions, store::Connection& connection,
                                          const ClaimantName& claimant);

}  // namespace sluice::consumer
