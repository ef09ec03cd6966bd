#include "consumer/offsets/partitions.hpp"

#include <algorithm>
#include <utility>

namespace sluice::consumer {

AppliedCheck check_applied(const ToCheck& partition, std::optional<std::int64_t> applied,
                           Doubt doubt) noexcept {
    // Rows from before the cut were forgotten. A copy of MySQL that missed that still has them, and lacks
    // what was applied since.
    if (partition.read_since_cut && applied &&
        (*applied < partition.known || *applied > *partition.read_since_cut))
        return AppliedCheck::lost;
    const bool is_read_whole = partition.was_sought_to_start && partition.known <= partition.log_start;
    if (applied && *applied < partition.known && !is_read_whole) return AppliedCheck::behind;
    if (!applied && partition.had_row && partition.known > partition.log_start) return AppliedCheck::unknown;
    // An applied offset from before the cut may lie there by chance, even while nothing has been read again
    // yet.
    if (doubt == Doubt::server_moved && partition.read_since_cut) return AppliedCheck::lost;
    return doubt != Doubt::none && partition.has_begun ? AppliedCheck::in_doubt : AppliedCheck::good;
}

void Partitions::assign(Place place, std::optional<LogPosition> committed, std::int64_t log_start) {
    const std::lock_guard lock{mutex_};
    begin_anew(place, committed, log_start, Rows::valid);
}

void Partitions::restart(std::int32_t partition, std::int64_t log_start) {
    const std::lock_guard lock{mutex_};
    begin_anew(partition, std::nullopt, log_start, Rows::voided);
}

void Partitions::begin_anew(Place place, std::optional<LogPosition> committed, std::int64_t log_start,
                            Rows rows) {
    const std::int64_t known = committed ? committed->offset : log_start;
    states_.erase(place);
    states_.emplace(place, State{.generation = ++last_generation_,
                                 .offsets = FinishedPrefix{std::max(known, log_start)},
                                 .epochs = LeaderEpochs{committed.value_or(log_start)},
                                 .known = known,
                                 .stored = stored_once_ == StoredOnce::finished ? known : -1,
                                 .log_start = log_start,
                                 .had_committed = committed.has_value(),
                                 .rows = rows,
                                 .cut_at = rows == Rows::voided ? last_generation_ : 0,
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

std::optional<std::uint64_t> Partitions::begin(Place place, LogPosition record, WallTime received_at) {
    const std::lock_guard lock{mutex_};
    const auto at = states_.find(place);
    if (at == states_.end()) return std::nullopt;
    State& state = at->second;
    if (!state.offsets.begin(record.offset, received_at)) {
        state.generation = ++last_generation_;
        state.leave_rows_undecided();
        state.offsets = FinishedPrefix{record.offset};
        state.epochs = LeaderEpochs{record.offset};
        state.answered = -1;
        if (stored_once_ == StoredOnce::finished) state.stored = 0;
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
    for (const auto& [place, state] : states_) {
        if (!state.rewind_to) continue;
        const std::int64_t to = *state.rewind_to;
        const bool has_one_below = to > state.log_start;
        rewinds.push_back({place.partition, {to, has_one_below ? state.epochs.below(to) : unknown_epoch}});
    }
    return rewinds;
}

void Partitions::rewound(std::int32_t partition, LogPosition to) {
    const std::lock_guard lock{mutex_};
    const auto at = states_.find(partition);
    if (at == states_.end()) return;
    State& state = at->second;
    state.generation = ++last_generation_;
    state.leave_rows_undecided();
    state.offsets = FinishedPrefix{to.offset};
    state.epochs = LeaderEpochs{to};
    state.known = to.offset;
    state.answered = -1;
    state.stored = -1;
    state.was_sought_to_start = to.offset <= state.log_start;
    state.had_committed = !state.was_sought_to_start;  // else MySQL held no row to read on from
    if (state.rewind_to >= to.offset) state.rewind_to.reset();
    ++changes_;
}

std::vector<Partitions::Storable> Partitions::storable() const {
    const std::lock_guard lock{mutex_};
    std::vector<Storable> storable;
    for (const auto& [place, state] : states_) {
        const std::int64_t offset = may_be_stored(state);
        if (state.rewind_to || offset <= state.stored) continue;
        storable.push_back({place, state.generation, offset, state.epochs.below(offset), state.stored < 0});
    }
    return storable;
}

std::int64_t Partitions::may_be_stored(const State& state) const {
    return stored_once_ == StoredOnce::finished ? state.offsets.prefix() : state.answered;
}

void Partitions::stored(const Storable& what) {
    const std::lock_guard lock{mutex_};
    if (State* state = current(what.place, what.generation)) {
        state->stored = std::max(state->stored, what.offset);
        state->epochs.forget_below(what.offset);
    }
}

bool Partitions::is_current(const Coordinates& at) const {
    const std::lock_guard lock{mutex_};
    return current(at.place(), at.generation) != nullptr;
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
    for (const auto& [place, state] : states_) {
        // A written offset was a row too, no matter what Kafka knows of it.
        const bool had_row = state.had_committed || state.answered >= 0;
        const bool has_begun = state.offsets.next() > std::max(state.known, state.log_start);
        list.push_back({place.partition, state.generation, state.known, state.log_start, had_row, has_begun,
                        state.rows != Rows::valid,
                        state.cut_at == 0 ? std::nullopt : std::optional{state.read_since_cut},
                        state.was_sought_to_start});
    }
    return list;
}

bool Partitions::begin_forgetting(std::int32_t partition, std::uint64_t generation) {
    const std::lock_guard lock{mutex_};
    State* state = current(partition, generation);
    if (state == nullptr || state->rows != Rows::voided) return false;
    state->rows = Rows::being_forgotten;
    return true;
}

void Partitions::forgot(std::int32_t partition, std::uint64_t generation, bool done) {
    const std::lock_guard lock{mutex_};
    State* state = current(partition, generation);
    if (state == nullptr || !state->is_forgetting()) return;
    const bool is_over = done && state->rows == Rows::being_forgotten;
    state->rows = is_over ? Rows::valid : Rows::voided;
}

bool Partitions::distrust(std::int32_t partition, std::uint64_t generation,
                          std::optional<std::int64_t> applied) {
    const std::lock_guard lock{mutex_};
    State* state = current(partition, generation);
    if (state == nullptr || state->rows != Rows::valid) return false;
    // Others may have read on since the question was asked.
    if (applied && *applied >= state->known && *applied <= state->read_since_cut) return false;
    state->rows = Rows::voided;
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

std::vector<AppliedOffset> Partitions::offsets_with(const std::vector<Coordinates>& applied) const {
    std::map<std::pair<std::int32_t, std::uint64_t>, std::vector<std::int64_t>> by_partition;
    for (const Coordinates& at : applied) by_partition[{at.partition, at.generation}].push_back(at.offset);
    const std::lock_guard lock{mutex_};
    std::vector<AppliedOffset> next_ones;
    for (auto& [id, offsets] : by_partition) {
        const State* state = current(id.first, id.second);
        if (state == nullptr || !state->may_be_written()) continue;
        std::ranges::sort(offsets);
        const std::int64_t next = state->offsets.prefix_with(offsets);
        if (next > std::max(state->answered, state->known)) next_ones.push_back({id.first, id.second, next});
    }
    return next_ones;
}

std::vector<AppliedOffset> Partitions::unwritten() const {
    const std::lock_guard lock{mutex_};
    std::vector<AppliedOffset> offsets;
    for (const auto& [place, state] : states_) {
        const bool moved = state.offsets.prefix() > std::max(state.answered, state.known);
        if (moved && state.may_be_written())
            offsets.push_back({place.partition, state.generation, state.offsets.prefix()});
    }
    return offsets;
}

void Partitions::answered(const std::vector<Coordinates>& applied,
                          const std::vector<AppliedOffset>& offsets) {
    const std::lock_guard lock{mutex_};
    for (const Coordinates& at : applied) {
        if (State* state = current(at.place(), at.generation)) state->offsets.finish(at.offset);
    }
    for (const AppliedOffset& one : offsets) {
        State* state = current(one.partition, one.generation);
        if (state == nullptr || state->cut_at > one.generation) {
            void_again(one);
            continue;
        }
        state->answered = std::max(state->answered, one.next_offset);
        state->known = std::max(state->known, one.next_offset);
    }
}

// It was taken before the log was cut or its rows were distrusted, and written after they were forgotten.
void Partitions::void_again(const AppliedOffset& one) {
    const auto at = states_.find(one.partition);
    if (at == states_.end() || at->second.cut_at <= one.generation) return;
    State& state = at->second;
    state.rows = state.is_forgetting() ? Rows::voided_again : Rows::voided;
    ++changes_;
}

void Partitions::finish(const Coordinates& at) {
    answered({at}, {});
}

void Partitions::set_waiting(const Coordinates& at, bool waiting) {
    const std::lock_guard lock{mutex_};
    if (State* state = current(at.place(), at.generation)) state->offsets.set_waiting(at.offset, waiting);
}

std::vector<Partitions::Lag> Partitions::lags() const {
    const std::lock_guard lock{mutex_};
    std::vector<Lag> lags;
    lags.reserve(states_.size());
    for (const auto& [place, state] : states_) {
        lags.push_back(
            {place, state.offsets.oldest_due(), state.offsets.unfinished(), state.offsets.prefix()});
    }
    return lags;
}

Partitions::State* Partitions::current(Place place, std::uint64_t generation) {
    const auto at = states_.find(place);
    return at == states_.end() || at->second.generation != generation ? nullptr : &at->second;
}

const Partitions::State* Partitions::current(Place place, std::uint64_t generation) const {
    const auto at = states_.find(place);
    return at == states_.end() || at->second.generation != generation ? nullptr : &at->second;
}

}  // namespace sluice::consumer
