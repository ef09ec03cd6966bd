#include "tests/bench/constant_time/welch.hpp"

#include <algorithm>
#include <cmath>

namespace sluice::bench {
namespace {

constexpr int percentiles = 100;
constexpr double fewest = 10'000;  // calls of each kind that a t is made from

/// Mean and variance as values come in (Welford).
class Sample {
public:
    void add(double value) {
        ++count_;
        const double delta = value - mean_;
        mean_ += delta / count_;
        squares_ += delta * (value - mean_);
    }
    [[nodiscard]] double count() const { return count_; }
    [[nodiscard]] double mean() const { return mean_; }
    [[nodiscard]] double error() const { return squares_ / (count_ - 1) / count_; }

private:
    double count_ = 0;
    double mean_ = 0;
    double squares_ = 0;
};

double welch(const std::array<Sample, 2>& samples) {
    if (std::min(samples[0].count(), samples[1].count()) < fewest) return 0;
    const double error = std::sqrt(samples[0].error() + samples[1].error());
    return error > 0 ? (samples[0].mean() - samples[1].mean()) / error : 0;
}

/// Closer and closer to all of them: half of those that are left, by tenths.
std::size_t below_percentile(int number, std::size_t count) {
    const double share = 1 - std::pow(0.5, 10.0 * (number + 1) / percentiles);
    return static_cast<std::size_t>(share * static_cast<double>(count));
}

}  // namespace

Verdict judge(std::vector<Timing>& timings) {
    std::ranges::sort(timings, {}, &Timing::cycles);
    std::array<Sample, 2> samples;
    double worst = 0;
    std::size_t at = 0;
    const auto take_to = [&](std::size_t end) {
        for (; at < end; ++at) samples[timings[at].is_second].add(static_cast<double>(timings[at].cycles));
        const double t = welch(samples);
        if (std::abs(t) > std::abs(worst)) worst = t;
        return t;
    };
    for (int i = 0; i < percentiles; ++i) {
        std::size_t end = below_percentile(i, timings.size());
        while (end > 0 && end < timings.size() && timings[end].cycles == timings[end - 1].cycles) ++end;
        take_to(end);
    }
    const double t = take_to(timings.size());
    const double all = samples[0].count() + samples[1].count();
    return {t, worst,
            (samples[0].mean() * samples[0].count() + samples[1].mean() * samples[1].count()) / all};
}

}  // namespace sluice::bench
