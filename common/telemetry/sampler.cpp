#include "common/telemetry/sampler.hpp"

#include <charconv>

namespace sluice {
namespace {

constexpr std::uint64_t all_traces = std::uint64_t{1} << 56;
constexpr std::size_t random_digits = 14;  // 56 bits

}  // namespace

Sampler::Sampler(double ratio) noexcept
    : threshold_{all_traces - static_cast<std::uint64_t>(ratio * static_cast<double>(all_traces))} {}

bool Sampler::keeps(std::string_view trace_id) const noexcept {
    if (trace_id.size() < random_digits) return false;
    const std::string_view digits = trace_id.substr(trace_id.size() - random_digits);
    std::uint64_t random = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), random, 16);
    return read.ec == std::errc{} && random >= threshold_;
}

}  // namespace sluice
