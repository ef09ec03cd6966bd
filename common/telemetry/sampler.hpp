#pragma once

#include <cstdint>
#include <string_view>

namespace sluice {

/// Which traces are kept, by their id alone: the same in each process that has the same ratio.
/// OpenTelemetry's consistent sampling: the id's last 56 bits against a threshold.
class Sampler {
public:
    /// `ratio` from 0 to 1.
    explicit Sampler(double ratio) noexcept;

    /// `trace_id`: 32 lower-case hex digits.
    [[nodiscard]] bool keeps(std::string_view trace_id) const noexcept;

private:
    std::uint64_t threshold_;
};

}  // namespace sluice
