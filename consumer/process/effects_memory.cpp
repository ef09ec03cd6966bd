#include "consumer/process/effects_memory.hpp"

namespace sluice::consumer {

void EffectsMemory::saw(const std::optional<store::EffectsInForce>& recorded) {
    is_lost_ = highest_ && (!recorded || recorded->version.revision < highest_->version.revision);
    if (!is_lost_) highest_ = recorded;
}

std::optional<store::EffectsVersion> EffectsMemory::to_record() const noexcept {
    if (standing() != store::EffectsStanding::in_force) return std::nullopt;
    return highest_ && highest_->version.revision > ours_.revision ? highest_->version : ours_;
}

}  // namespace sluice::consumer
