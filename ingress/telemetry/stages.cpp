#include "ingress/telemetry/stages.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace sluice::ingress {

std::string_view name_of(Stage stage) noexcept {
    constexpr std::array<std::string_view, stage_count> names{"gate", "verify", "claim", "publish", "total"};
    return names[std::to_underlying(stage)];
}

StageHistograms stage_histograms(Metrics& metrics, std::string_view provider) {
    StageHistograms histograms{};
    for (std::size_t i = 0; i < stage_count; ++i) {
        const Labels labels{{"provider", std::string{provider}},
                            {"stage", std::string{name_of(static_cast<Stage>(i))}}};
        histograms[i] =
            &metrics.histogram("webhook_stage_seconds", "Time that a request spends in the ingress, by stage",
                               request_seconds_bounds(), labels);
    }
    return histograms;
}

StageTimes::StageTimes(const StageHistograms& histograms) {
    for (std::size_t i = 0; i < stage_count; ++i)
        shares_[i] = {histograms[i], std::vector<double>(request_seconds_bounds().size() + 1), 0};
}

void StageTimes::add(Stage stage, std::chrono::steady_clock::duration took) noexcept {
    const double seconds = std::chrono::duration<double>{took}.count();
    const auto& bounds = request_seconds_bounds();
    const auto bucket = std::ranges::lower_bound(bounds, seconds) - bounds.begin();
    Share& share = shares_[std::to_underlying(stage)];
    share.buckets[static_cast<std::size_t>(bucket)] += 1;
    share.sum += seconds;
    dirty_ = true;
}

void StageTimes::flush() {
    if (!std::exchange(dirty_, false)) return;
    for (Share& share : shares_) {
        share.histogram->ObserveMultiple(share.buckets, share.sum);
        std::ranges::fill(share.buckets, 0.0);
        share.sum = 0;
    }
}

StageTimes& ProviderTimes::of(const StageHistograms& histograms) {
    return times_.try_emplace(histograms.front(), histograms).first->second;
}

void ProviderTimes::flush() {
    for (auto& [first, times] : times_) times.flush();
}

}  // namespace sluice::ingress
