#pragma once

#include <optional>

#include "consumer/store/schema/effects_version.hpp"

namespace sluice::consumer {

/// What one process has seen recorded. MySQL may lose it (a fail-over to a copy that lacks the last commits).
/// Then a process whose effects were in force records them again, as they were, and one whose effects were
/// overtaken does not come back. Numbers only rise, so that two kinds of processes never take turns. Pure;
/// one thread.
class EffectsMemory {
public:
    explicit EffectsMemory(const store::EffectsVersion& ours) : ours_{ours} {}

    void saw(const std::optional<store::EffectsInForce>& recorded);

    /// By the highest record that was seen; of two with one number, by the later one.
    [[nodiscard]] store::EffectsStanding standing() const noexcept {
        return store::standing_of(ours_, highest_);
    }
    /// What MySQL has to hold where it holds less: the highest number that our effects have had. nullopt:
    /// others are in force, nothing may be recorded.
    [[nodiscard]] std::optional<store::EffectsVersion> to_record() const noexcept;

    [[nodiscard]] const store::EffectsVersion& ours() const noexcept { return ours_; }
    [[nodiscard]] const std::optional<store::EffectsInForce>& highest() const noexcept { return highest_; }
    /// MySQL holds less than was seen.
    [[nodiscard]] bool is_lost() const noexcept { return is_lost_; }

private:
    store::EffectsVersion ours_;
    std::optional<store::EffectsInForce> highest_;
    bool is_lost_ = false;
};

}  // namespace sluice::consumer
