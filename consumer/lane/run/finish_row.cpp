#include "consumer/lane/run/finish_row.hpp"

namespace sluice::consumer {

RowEnd end_without_effects(const std::optional<std::vector<std::string>>& had,
                           store::ClosedAs dead_letters) noexcept {
    if (!had) return {.status = store::InboxStatus::skipped, .dead_letters = dead_letters};
    const auto before = had->empty() ? store::InboxStatus::ignored : store::InboxStatus::done;
    return {.status = before, .dead_letters = dead_letters};
}

Result<void> finish_row(store::Connection& connection, store::LockedLane& lane, lane::Position position,
                        const std::optional<store::InboxKey>& inbox, const RowEnd& end, WallTime now) {
    if (auto removed = store::remove_event(connection, lane, position); !removed) return removed;
    if (inbox) {
        const store::InboxChange change{
            .status = end.status, .finished_at = now, .had_effects = end.had_effects};
        if (auto changed = store::change_unfinished(connection, *inbox, change); !changed) return changed;
    }
    const auto closed = store::close_dead_letters(connection, {lane.key, position}, end.dead_letters, now);
    if (!closed) return Failure{closed.error()};
    return {};
}

}  // namespace sluice::consumer
