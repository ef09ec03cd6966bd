#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace sluice {

/// One entry of SLUICE_FAILPOINTS (grammar: common/failpoint.hpp). A name may have several.
struct FailpointRule {
    enum class Action { kill, stop, error, delay };

    std::string name;
    Action action = Action::error;
    std::chrono::milliseconds delay{0};
    std::uint64_t from_hit = 1;  ///< counted from 1
    std::uint64_t to_hit = UINT64_MAX;
    double probability = 1.0;

    /// `dice` is uniform in [0, 1).
    [[nodiscard]] bool fires(std::uint64_t hit, double dice) const noexcept {
        return hit >= from_hit && hit <= to_hit && dice < probability;
    }
};

/// The rules in the order of the text, or the sentence that says what is wrong with it.
[[nodiscard]] std::expected<std::vector<FailpointRule>, std::string> parse_failpoints(std::string_view text);

}  // namespace sluice
