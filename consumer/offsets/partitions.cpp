#include "consumer/offsets/partitions.hpp"

#include <algorithm>
#include <utility>

namespace sluice::consumer {

AppliedCheck check_applied(const ToCheck& partition, std::optional<std::int64_t> applied,
                           Doubt doubt) noexcept {
    // Claims from before the cut were forgotten. A copy of MySQL that missed that still has them, and lacks
    // what was applied since.
    if (partition.read_since_cut && applied &&
        (*applied < partition.known || *applied > *partition.read_since_cut))
        return AppliedCheck::lost;
    if (applied && *applied < partition.known) return AppliedCheck::behind;
    if (!applied && partition.had_row && partition.known > partition.log_start) return AppliedCheck::unknown;
    // A claim from before the cut may lie there by chance, even while nothing has been read again yet.
    if (doubt == Doubt::server_moved && partition.read_since_cut) return AppliedCheck::lost;
    return doubt != Doubt::none && partition.has_begun ? AppliedCheck::in_doubt : AppliedCheck::good;
}

void Partitions::assign(std::int32_t partition, std::optional<LogPosition> committed,
                        std::int64_t log_start) {
    const std::lock_guard lock{mutex_};
    begin_anew(partition, committed, log_start, Claims::valid);
}

void Partitions::restart(std::int32_t partition, std::int64_t log_start) {
    const std::lock_guard lock{mutex_};
    begin_anew(partition, std::nullopt, log_start, Claims::voided);
}

void Partitions::begin_anew(std::int32_t partition, std::optional<LogPosition> committed,
                            std::int64_t log_start, Claims claims) {
    const std::int64_t known = committed ? committed->offset : log_start;
    states_.erase(partition);
    states_.emplace(partition, State{.generation = ++last_generation_,
                                     .offsets = PartitionOffsets{std::max(known, log_start)},
                                     .epochs = LeaderEpochs{committed.value_or(log_start)},
                                     .known = known,
                                     .log_start = log_start,
                                     .had_committed = committed.has_value(),
                                     .claims = claims,
                                     .cut_at = claims == Claims::voided ? last_generation_ : 0,
                                     .read_since_cut = known,
                                     .rewind_to = {}});
    ++changes_;
}

std::size_t Partitions::unfinished(std::int32_t partition) const {
    const std::lock_guard lock{mutex_};
    const auto at = states_.find(partition);
    return at == states_.end() ? 0 : at->second.offsets.unfinished();
}

void Partitions::revoke_all() {
    const std::lock_guard lock{mutex_};
    states_.clear();
    ++changes_;
}

std::optional<std::uint64_t> Partitions::begin(std::int32_t partition, LogPosition record,
                                               WallTime received_at) {
    const std::lock_guard lock{mutex_};
    const auto at = states_.find(partition);
    if (at == states_.end()) return std::nullopt;
    State& state = at->second;
    if (!state.offsets.begin(record.offset, received_at)) {
        state.generation = ++last_generation_;
        state.leave_claims_undecided();
        state.offsets = PartitionOffsets{record.offset};
        state.epochs = LeaderEpochs{record.offset};
        state.answered = -1;
        ++changes_;
        (void)state.offsets.begin(record.offset, received_at);
    }
    state.read_since_cut = std::max(state.read_since_cut, record.offset + 1);
    state.epochs.note(record.offset, record.leader_epoch);
    return state.generation;
}

std::vector<Partitions::Rewind> Partitions::pending_rewinds() const {
    const std::lock_guard lock{mutex_};
    std::vector<Rewind> rewinds;
    for (const auto& [partition, state] : states_) {
        if (!state.rewind_to) continue;
        const std::int64_t to = *state.rewind_to;
        const bool has_one_below = to > state.log_start;
        rewinds.push_back({partition, {to, has_one_below ? state.epochs.below(to) : unknown_epoch}});
    }
    return rewinds;
}

void Partitions::rewound(std::int32_t partition, LogPosition to) {
    const std::lock_guard lock{mutex_};
    const auto at = states_.find(partition);
    if (at == states_.end()) return;
    State& state = at->second;
    state.generation = ++last_generation_;
    state.leave_claims_undecided();
    state.offsets = PartitionOffsets{to.offset};
    state.epochs = LeaderEpochs{to};
    state.known = to.offset;
    state.answered = -1;
    state.stored = -1;
    state.had_committed = to.offset > state.log_start;  // else MySQL held no row to read on from
    if (state.rewind_to >= to.offset) state.rewind_to.reset();
    ++changes_;
}

std::vector<Partitions::Storable> Partitions::storable() const {
    const std::lock_guard lock{mutex_};
    std::vector<Storable> storable;
    for (const auto& [partition, state] : states_) {
        if (state.rewind_to || state.answered <= state.stored) continue;
        storable.push_back({partition, state.generation, state.answered, state.epochs.below(state.answered),
                            state.stored < 0});
    }
    return storable;
}

void Partitions::stored(const Storable& what) {
    const std::lock_guard lock{mutex_};
    if (State* state = current(what.partition, what.generation)) {
        state->stored = std::max(state->stored, what.offset);
        state->epochs.forget_below(what.offset);
    }
}

bool Partitions::is_current(const Coordinates& at) const {
    const std::lock_guard lock{mutex_};
    return current(at.partition, at.generation) != nullptr;
}

std::uint64_t Partitions::changes() const noexcept {
    return changes_;
}

std::uint64_t Partitions::newest_generation() const {
    const std::lock_guard lock{mutex_};
    return last_generation_;
}

std::vector<ToCheck> Partitions::to_check() const {
    const std::lock_guard lock{mutex_};
    std::vector<ToCheck> list;
    for (const auto& [partition, state] : states_) {
        // An answered claim was a row too, no matter what Kafka knows of it.
        const bool had_row = state.had_committed || state.answered >= 0;
        const bool has_begun = state.offsets.next() > std::max(state.known, state.log_start);
        list.push_back({partition, state.generation, state.known, state.log_start, had_row, has_begun,
                        state.claims != Claims::valid,
                        state.cut_at == 0 ? std::nullopt : std::optional{state.read_since_cut}});
    }
    return list;
}

bool Partitions::begin_forgetting(std::int32_t partition, std::uint64_t generation) {
    const std::lock_guard lock{mutex_};
    State* state = current(partition, generation);
    if (state == nullptr || state->claims != Claims::voided) return false;
    state->claims = Claims::being_forgotten;
    return true;
}

void Partitions::forgot(std::int32_t partition, std::uint64_t generation, bool done) {
    const std::lock_guard lock{mutex_};
    State* state = current(partition, generation);
    if (state == nullptr || !state->is_forgetting()) return;
    const bool is_over = done && state->claims == Claims::being_forgotten;
    state->claims = is_over ? Claims::valid : Claims::voided;
}

bool Partitions::distrust(std::int32_t partition, std::uint64_t generation,
                          std::optional<std::int64_t> applied) {
    const std::lock_guard lock{mutex_};
    State* state = current(partition, generation);
    if (state == nullptr || state->claims != Claims::valid) return false;
    // Others may have read on since the question was asked.
    if (applied && *applied >= state->known && *applied <= state->read_since_cut) return false;
    state->claims = Claims::voided;
    state->cut_at = generation + 1;
    state->rewind_to = state->log_start;
    ++changes_;
    return true;
}

bool Partitions::ask_rewind(std::int32_t partition, std::uint64_t generation, std::int64_t offset) {
    const std::lock_guard lock{mutex_};
    State* state = current(partition, generation);
    if (state == nullptr || (state->rewind_to && *state->rewind_to <= offset)) return false;
    state->rewind_to = offset;
    return true;
}

std::vector<Claim> Partitions::claims_with(const std::vector<Coordinates>& applied) const {
    std::map<std::pair<std::int32_t, std::uint64_t>, std::vector<std::int64_t>> by_partition;
    for (const Coordinates& at : applied) by_partition[{at.partition, at.generation}].push_back(at.offset);
    const std::lock_guard lock{mutex_};
    std::vector<Claim> claims;
    for (auto& [id, offsets] : by_partition) {
        const State* state = current(id.first, id.second);
        if (state == nullptr || !state->may_claim()) continue;
        std::ranges::sort(offsets);
        const std::int64_t next = state->offsets.prefix_with(offsets);
        if (next > std::max(state->answered, state->known)) claims.push_back({id.first, id.second, next});
    }
    return claims;
}

std::vector<Claim> Partitions::unclaimed() const {
    const std::lock_guard lock{mutex_};
    std::vector<Claim> claims;
    for (const auto& [partition, state] : states_) {
        const bool moved = state.offsets.prefix() > std::max(state.answered, state.known);
        if (moved && state.may_claim())
            claims.push_back({partition, state.generation, state.offsets.prefix()});
    }
    return claims;
}

void Partitions::answered(const std::vector<Coordinates>& applied, const std::vector<Claim>& claims) {
    const std::lock_guard lock{mutex_};
    for (const Coordinates& at : applied) {
        if (State* state = current(at.partition, at.generation)) state->offsets.finish(at.offset);
    }
    for (const Claim& claim : claims) {
        State* state = current(claim.partition, claim.generation);
        if (state == nullptr || state->cut_at > claim.generation) {
            void_again(claim);
            continue;
        }
        state->answered = std::max(state->answered, claim.next_offset);
        state->known = std::max(state->known, claim.next_offset);
    }
}

// It was taken before the log was cut or its claims were distrusted, and written after they were forgotten.
void Partitions::void_again(const Claim& claim) {
    const auto at = states_.find(claim.partition);
    if (at == states_.end() || at->second.cut_at <= claim.generation) return;
    State& state = at->second;
    state.claims = state.is_forgetting() ? Claims::voided_again : Claims::voided;
    ++changes_;
}

void Partitions::finish(const Coordinates& at) {
    answered({at}, {});
}

void Partitions::set_waiting(const Coordinates& at, bool waiting) {
    const std::lock_guard lock{mutex_};
    if (State* state = current(at.partition, at.generation)) state->offsets.set_waiting(at.offset, waiting);
}

std::vector<Partitions::Lag> Partitions::lags() const {
    const std::lock_guard lock{mutex_};
    std::vector<Lag> lags;
    lags.reserve(states_.size());
    for (const auto& [partition, state] : states_) {
        lags.push_back(
            {partition, state.offsets.oldest_due(), state.offsets.unfinished(), state.offsets.prefix()});
    }
    return lags;
}

Partitions::State* Partitions::current(std::int32_t partition, std::uint64_t generation) {
    const auto at = states_.find(partition);
    return at == states_.end() || at->second.generation != generation ? nullptr : &at->second;
}

const Partitions::State* Partitions::current(std::int32_t partition, std::uint64_t generation) const {
    const auto at = states_.find(partition);
    return at == states_.end() || at->second.generation != generation ? nullptr : &at->second;
}

}  // namespace sluice::consumer
