#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <string_view>
#include <vector>

#include "common/metrics.hpp"

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

/// One io_context's share of webhook_stage_seconds, gathered without a lock and added to the metric by
/// `flush`. One thread.
class StageTimes {
public:
    explicit StageTimes(Metrics& metrics);

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

}  // namespace sluice::ingress
