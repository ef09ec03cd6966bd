#pragma once

#include <array>
#include <chrono>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "common/config/settings/connections.hpp"
#include "common/crypto/digest.hpp"
#include "common/telemetry/metrics.hpp"
#include "common/webhook/recipe/source.hpp"
#include "common/webhook/signature/signature_refusal.hpp"
#include "ingress/dedup/deduplicator.hpp"
#include "ingress/request/outcome_answer.hpp"
#include "ingress/telemetry/stages.hpp"

namespace sluice::ingress {

inline constexpr std::size_t claim_count = 5;

/// One source with everything that its requests need and that does not depend on them.
struct Route {
    Route(std::shared_ptr<const webhook::Source> source, Metrics& metrics,
          const config::ClientLimits& clients);

    std::shared_ptr<const webhook::Source> source;
    crypto::Digest metered;  ///< what clients of the source are counted under: ClientMeters
    PreparedAnswers answers;
    std::array<Counter*, outcome_count> decisions;  ///< sluice_ingress_decisions_total
    std::array<Counter*, outcome_count> answered;   ///< webhook_answer_total
    StageHistograms stages;                         ///< webhook_stage_seconds
    std::array<Counter*, claim_count> claims;       ///< sluice_ingress_claims_total
    std::vector<Counter*> keys;  ///< sluice_ingress_keys_total, in the order of the source's keys
    Counter* signed_ahead;       ///< sluice_ingress_clock_apart_total
    Counter* signed_behind;
    Counter* uncounted;  ///< sluice_ingress_limits_uncounted_total
    Counter* other_ids;  ///< sluice_ingress_same_body_other_id_total

    /// What an authentic request says of its signer's clock.
    void note_signed(std::chrono::milliseconds ago) const;
};

/// All sources by path, matched byte for byte. Immutable: a reload makes another one, and requests in
/// progress keep the one they began with.
class Routes {
public:
    Routes(const webhook::SourceSet& sources, Metrics& metrics, const config::ClientLimits& clients = {});

    /// Null when no source has this path. Lives as long as these routes.
    [[nodiscard]] const Route* find(std::string_view path) const;
    [[nodiscard]] std::size_t size() const noexcept { return by_path_.size(); }

private:
    std::unordered_map<std::string_view, std::unique_ptr<const Route>> by_path_;  // keys live in the sources
};

}  // namespace sluice::ingress
