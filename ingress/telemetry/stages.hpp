#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "common/telemetry/metrics.hpp"

namespace sluice::ingress {

/// The parts of a request's time that webhook_stage_seconds tells apart.
enum class Stage : std::uint8_t {
    gate,     ///< judging the head (not waiting for it)
    verify,   ///< signature and extraction
    claim,    ///< Redis
    publish,  ///< Kafka, up to the delivery report
    total,    ///< from the whole head to the decision, the body's arrival included
};
inline constexpr std::size_t stage_count = 5;
[[nodiscard]] std::string_view name_of(Stage stage) noexcept;

/// webhook_stage_seconds of one provider: the same histograms for all sources that it has, before a reload
/// and after it.
using StageHistograms = std::array<Histogram*, stage_count>;
[[nodiscard]] StageHistograms stage_histograms(Metrics& metrics, std::string_view provider);

/// Times of one provider's requests that no histogram has got yet. One thread.
class StageTimes {
public:
    explicit StageTimes(const StageHistograms& histograms);

    void add(Stage stage, std::chrono::steady_clock::duration took) noexcept;
    void flush();

private:
    struct Share {
        Histogram* histogram;
        std::vector<double> buckets;
        double sum = 0;
    };
    std::array<Share, stage_count> shares_;
    bool dirty_ = false;
};

/// One io_context's share of webhook_stage_seconds, gathered without a lock and added to the metric by
/// `flush`. One thread.
class ProviderTimes {
public:
    /// Lives as long as this; the same for the same histograms.
    [[nodiscard]] StageTimes& of(const StageHistograms& histograms);
    void flush();

private:
    std::map<const Histogram*, StageTimes> times_;  // by the first of the provider's histograms
};

}  // namespace sluice::ingress
