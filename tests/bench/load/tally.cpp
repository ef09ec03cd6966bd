#include "tests/bench/load/tally.hpp"

#include <algorithm>
#include <format>
#include <numeric>
#include <ranges>

namespace sluice::bench {
namespace {

constexpr std::uint32_t millisecond = 1000;

template <class Number>
std::string object(const std::map<std::string, Number>& entries) {
    std::string text;
    for (const auto& [name, value] : entries)
        text += std::format("{}\"{}\": {}", text.empty() ? "" : ", ", name, value);
    return "{" + text + "}";
}

std::string by_status(const std::map<int, std::uint64_t>& counts) {
    std::map<std::string, std::uint64_t> named;
    for (const auto& [status, count] : counts) named[std::to_string(status)] = count;
    return object(named);
}

std::uint32_t quantile(const std::vector<std::uint32_t>& sorted, double share) {
    if (sorted.empty()) return 0;
    const auto at = static_cast<std::size_t>(share * static_cast<double>(sorted.size()));
    return sorted[std::min(at, sorted.size() - 1)];
}

}  // namespace

void Tally::answered(int status, Clock::duration took, bool is_measured) {
    ++all[status];
    if (!is_measured) return;
    ++measured[status];
    using std::chrono::microseconds;
    this->microseconds.push_back(
        static_cast<std::uint32_t>(std::chrono::duration_cast<std::chrono::microseconds>(took).count()));
}

std::uint64_t Tally::measured_answers() const {
    const auto counts = measured | std::views::values;
    return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

std::string printed(Tally& tally, const Window& window) {
    std::vector<std::uint32_t>& took = tally.microseconds;
    std::ranges::sort(took);
    const auto quick = std::ranges::upper_bound(took, millisecond) - took.begin();
    const double answers = static_cast<double>(std::max<std::uint64_t>(tally.measured_answers(), 1));
    return std::format(
        R"({{"seconds": {:.3f}, "answers": {}, "per_second": {:.1f}, "cpu_us": {}, "cpu_us_per_answer": {:.3f}, )"
        R"("threads_us": {}, "sent": {}, "broken": {}, "late": {}, "all": {}, "measured": {}, )"
        R"("p50_us": {}, "p90_us": {}, "p99_us": {}, "p999_us": {}, "max_us": {}, "under_1ms": {:.5f}}})",
        window.seconds, tally.measured_answers(), answers / window.seconds, window.processor,
        static_cast<double>(window.processor) / answers, object(window.threads), tally.sent, tally.broken,
        tally.late, by_status(tally.all), by_status(tally.measured), quantile(took, 0.5), quantile(took, 0.9),
        quantile(took, 0.99), quantile(took, 0.999), took.empty() ? 0 : took.back(),
        static_cast<double>(quick) / answers);
}

}  // namespace sluice::bench
