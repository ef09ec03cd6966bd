#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/clock.hpp"
#include "consumer/lane/rules/breaker.hpp"

/// Effects that cannot run now for any event: a table, a column or a right of theirs is missing, or their
/// statements take too long for one event after the other. While an effect is held, its events go to lanes
/// without an attempt and wait there, uncounted; all others go on. So no worker waits for what is known.
namespace sluice::lane {

/// Until an event of a held effect is tried again.
inline constexpr Milliseconds between_looks_of_held = std::chrono::seconds{30};

/// Not thread-safe; the owner of the one object per process locks it. Remembers only effects with trouble.
class Holds {
public:
    enum class Why {
        missing,  ///< held at once: the next event would meet the same
        slow,     ///< held after three in a row: one slow event is no reason
    };

    void failed(std::string_view effect, Why why, std::string_view reason, SteadyTime now);
    /// It ran, with any result.
    void worked(std::string_view effect);
    /// It was let through and did not run: the next event is the probe.
    void told_nothing(std::string_view effect);

    struct Held {
        std::string effect;
        std::string reason;  ///< of the last failure, for people
    };
    /// The first of these that is held; nullopt: none is known to fail.
    [[nodiscard]] std::optional<Held> held(std::span<const std::string_view> effects, SteadyTime now) const;
    /// As `held`, of an event that is about to run. Now and then (after 1 s, 2 s, … 30 s) one is let through
    /// as a probe: then `failed`, `worked` or `told_nothing` has to follow for each.
    [[nodiscard]] std::optional<Held> not_admitted(std::span<const std::string_view> effects, SteadyTime now);

    /// All that are held.
    [[nodiscard]] std::vector<Held> all() const;
    [[nodiscard]] bool empty() const noexcept { return effects_.empty(); }

    /// Effects that lack something and are to be checked by preparing their statements, which needs no event:
    /// once a second each.
    [[nodiscard]] std::vector<std::string> to_look_at(SteadyTime now);
    /// A slow one that was not tried for a minute, for want of events, is held no longer.
    void forget_untried(SteadyTime now);

private:
    struct Trouble {
        Breaker breaker;
        Why why;
        std::string reason;
        SteadyTime failed_at{};
        SteadyTime looked_at{};
    };
    std::map<std::string, Trouble, std::less<>> effects_;
};

}  // namespace sluice::lane
