#include "consumer/retry_role/retry_offsets.hpp"

#include <algorithm>

namespace sluice::consumer {

void RetryOffsets::assign(Place place) {
    const std::lock_guard lock{mutex_};
    states_.insert_or_assign(place, State{.generation = ++last_generation_});
    ++changes_;
}

void RetryOffsets::revoke_all() {
    const std::lock_guard lock{mutex_};
    states_.clear();
    ++changes_;
}

std::optional<std::uint64_t> RetryOffsets::begin(Place place, std::int64_t offset, WallTime due) {
    const std::lock_guard lock{mutex_};
    const auto at = states_.find(place);
    if (at == states_.end()) return std::nullopt;
    if (!at->second.offsets.begin(offset, due)) {
        at->second = State{.generation = ++last_generation_};
        ++changes_;
        (void)at->second.offsets.begin(offset, due);
    }
    return at->second.generation;
}

std::vector<RetryOffsets::Storable> RetryOffsets::storable() const {
    const std::lock_guard lock{mutex_};
    std::vector<Storable> storable;
    for (const auto& [place, state] : states_) {
        const std::int64_t prefix = state.offsets.prefix();
        if (prefix > state.stored) storable.push_back({place, state.generation, prefix});
    }
    return storable;
}

void RetryOffsets::stored(const Storable& what) {
    const std::lock_guard lock{mutex_};
    if (State* state = current(what.place, what.generation)) {
        state->stored = std::max(state->stored, what.offset);
    }
}

bool RetryOffsets::is_current(const Touch& touch) const {
    const std::lock_guard lock{mutex_};
    return current(touch.place, touch.record.at.generation) != nullptr;
}

void RetryOffsets::finish(const Touch& touch) {
    const std::lock_guard lock{mutex_};
    const Coordinates& at = touch.record.at;
    if (State* state = current(touch.place, at.generation)) state->offsets.finish(at.offset);
}

std::vector<RetryOffsets::Lag> RetryOffsets::lags() const {
    const std::lock_guard lock{mutex_};
    std::vector<Lag> lags;
    lags.reserve(states_.size());
    for (const auto& [place, state] : states_) {
        lags.push_back({place, state.offsets.oldest_due(), state.offsets.unfinished()});
    }
    return lags;
}

RetryOffsets::State* RetryOffsets::current(Place place, std::uint64_t generation) {
    const auto at = states_.find(place);
    return at == states_.end() || at->second.generation != generation ? nullptr : &at->second;
}

const RetryOffsets::State* RetryOffsets::current(Place place, std::uint64_t generation) const {
    const auto at = states_.find(place);
    return at == states_.end() || at->second.generation != generation ? nullptr : &at->second;
}

}  // namespace sluice::consumer
