#include "consumer/apply/claims.hpp"

#include "consumer/store/inbox/applied_offset.hpp"

namespace sluice::consumer {

Result<void> write_claims(store::Connection& connection, const ClaimantName& claimant,
                          const std::vector<Claim>& claims) {
    if (claims.empty()) return {};
    std::vector<store::Claim> rows;
    rows.reserve(claims.size());
    for (const Claim& claim : claims) rows.push_back({claim.partition, claim.next_offset});
    return store::claim(connection, {claimant.group, claimant.topic_id, claimant.name, claimant.server},
                        rows);
}

Result<void> claim_finished(Partitions& partitions, store::Connection& connection,
                            const ClaimantName& claimant) {
    const std::vector<Claim> claims = partitions.unclaimed();
    if (claims.empty()) return {};
    if (auto written = write_claims(connection, claimant, claims); !written) return written;
    partitions.answered({}, claims);
    return {};
}

}  // namespace sluice::consumer
