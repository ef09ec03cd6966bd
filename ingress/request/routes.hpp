#pragma once

#include <array>
#include <atomic>
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

/// A request's place among those of its source that are in progress. Given back when it goes.
struct LeavePlace {
    void operator()(std::atomic<int>* taken) const noexcept {
        taken->fetch_sub(1, std::memory_order_relaxed);
    }
};
using Place = std::unique_ptr<std::atomic<int>, LeavePlace>;

/// One source with everything that its requests need and that does not depend on them.
struct Route {
    /// `most_in_progress`: requests of it at the same time.
    Route(std::shared_ptr<const webhook::Source> source, Metrics& metrics,
          const config::ClientLimits& clients, int most_in_progress);

    /// Null where the source has its share already. The place goes before the route does.
    [[nodiscard]] Place take_place() const noexcept;

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

private:
    const int most_in_progress_;
    mutable std::atomic<int> in_progress_{0};
};

/// All sources by path, matched byte for byte. Immutable: a reload makes another one, and requests in
/// progress keep the one they began with.
class Routes {
public:
    /// `connections`: that the process may have. Where there are several sources, each has half of them at
    /// most for requests in progress, so that others always find some.
    Routes(const webhook::SourceSet& sources, Metrics& metrics, const config::ClientLimits& clients = {},
           int connections = config::ListenSettings{}.max_connections);

    /// Null when no source has this path. Lives as long as these routes.
    [[nodiscard]] const Route* find(std::string_view path) const;
    [[nodiscard]] std::size_t size() const noexcept { return by_path_.size(); }

private:
    std::unordered_map<std::string_view, std::unique_ptr<const Route>> by_path_;  // keys live in the sources
};

}  // namespace sluice::ingress
