#pragma once

#include <optional>
#include <string_view>

#include "common/clock.hpp"
#include "common/config/section.hpp"

namespace sluice::metering {

/// How many requests are taken: `burst` at once, and then one each `every`.
struct Rate {
    std::chrono::nanoseconds every{};
    int burst = 1;

    bool operator==(const Rate&) const = default;
};

/// What one more request comes to. The generic cell rate algorithm (ITU-T I.371): `spent_until` is when all
/// that was taken so far is made up for. What cannot have been taken under this rate is forgotten.
struct Taken {
    SteadyTime spent_until;                    ///< with this request
    std::optional<SteadyTime::duration> wait;  ///< it is one too many: when it would be taken
};
[[nodiscard]] Taken take_one(SteadyTime spent_until, SteadyTime now, const Rate& rate) noexcept;  // pure

/// "50/s", "600/m" or "1000/h", at most 1,000,000 of them; nullopt: it is none. `burst` is its number. Pure.
[[nodiscard]] std::optional<Rate> parse_rate(std::string_view text);

/// `KEY: {rate: 50/s, burst: 100}` of a section; nullopt: it has none.
[[nodiscard]] std::optional<Rate> read_rate(config::Section& section, std::string_view key);
/// The same, of the mapping itself.
[[nodiscard]] Rate read_rate(config::Section& limit);

}  // namespace sluice::metering
