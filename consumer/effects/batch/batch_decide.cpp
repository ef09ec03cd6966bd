#include <utility>

#include "common/error.hpp"
#include "consumer/effects/batch/batch_run.hpp"
#include "consumer/effects/set_based/row_key.hpp"

// How BatchRun decides an event in memory. Anything uncertain here is left to the database: not_here.
namespace sluice::effects {

BatchRun::Decision BatchRun::decide(std::size_t event) {
    has_changes_ = false;
    is_ignored_ = true;
    for (const Part& part : values_->parts_of(event)) {
        if (part.failure) {
            verdict_ = values_->failure_of(part);
            return Decision::ended;
        }
        if (const auto decision = decide_part(part, event); decision != Decision::made) return decision;
    }
    return Decision::made;
}

BatchRun::Decision BatchRun::decide_part(const Part& part, std::size_t event) {
    const auto values = values_->values_of(part, events_[event].headers);
    for (const auto& change : part.effect->changes()) {
        const auto decision = decide_change(plan_->targets.at(&change), values, event);
        if (decision == Decision::not_here) return decision;
        if (decision == Decision::ended && made_.outcome == Outcome::ignore) {
            const bool is_first = found_stale_.empty() || found_stale_.back() != part.effect;
            if (made_.is_stale && is_first) found_stale_.push_back(part.effect);
            is_ignored_ = is_ignored_ && &change == &part.effect->changes().front();
            return Decision::made;  // the effect ends; others go on
        }
        if (decision == Decision::ended) {
            verdict_ = part.effect->ended(change, made_, values);
            return decision;
        }
        has_changes_ = true;
    }
    is_ignored_ = false;
    return Decision::made;
}

BatchRun::Decision BatchRun::decide_change(const Target& target, const EventValues& values,
                                           std::size_t event) {
    // One user of a table at a time: rows that another way leads to, or that were not there when we looked,
    // are not known by this one.
    auto& user = users_[target.table];
    if (user != 0 && user != target.user) return Decision::not_here;
    user = target.user;
    if (std::holds_alternative<Insertion>(target.change->what))
        return decide_insertion(target, values, event);
    if (std::holds_alternative<Addition>(target.change->what)) return decide_addition(target, values);
    if (std::holds_alternative<Upsert>(target.change->what)) return decide_upsert(target, values, event);
    return decide_assignment(target, values, event);
}

BatchRun::Decision BatchRun::decide_insertion(const Target& target, const EventValues& values,
                                              std::size_t event) {
    auto& row = pending_->insert(target, event);
    const auto error = append_values(std::get<Insertion>(target.change->what).row, values, row);
    return error ? fail_with(error) : Decision::made;
}

BatchRun::Decision BatchRun::find_row(const Target& target, std::span<const Cell> key, const Ending& missing,
                                      const EventValues& values, std::size_t& row) {
    key_.clear();
    if (const auto error = append_values(key, values, key_)) return fail_with(error);
    if (has_null(key_)) return end_with(missing, row_is_missing);
    const auto found = spaces_[target.space].find(key_);
    row = found.row;
    switch (found.presence) {
        case RowSpace::Presence::there:
            return Decision::made;
        case RowSpace::Presence::missing:
            return end_with(missing, row_is_missing);
        case RowSpace::Presence::unreadable:
            return fail_with(make_error_code(errc::wrong_type));
        case RowSpace::Presence::unknown:
            break;
    }
    return Decision::not_here;
}

BatchRun::Decision BatchRun::decide_addition(const Target& target, const EventValues& values) {
    const auto& addition = std::get<Addition>(target.change->what);
    const auto amount = amount_of(addition, values);
    if (!amount) return fail_with(amount.error());
    RowSpace& space = spaces_[target.space];
    std::size_t row = 0;
    const auto found = find_row(target, addition.key, addition.missing, values, row);
    if (found != Decision::made) return found;
    auto& sum = space.sum(row, target.number);
    auto& touched = space.touched(row);
    if (!sum.steps || (touched.set & target.writes) != 0) return Decision::not_here;
    const Range& range = space.shape().sums[target.number].second;
    const Wide steps = *sum.steps + *amount * range.unit;
    if (addition.floor && steps < *addition.floor * range.unit) {
        return end_with(addition.below, sum_is_below);
    }
    auto changed = sum;
    const bool is_over = __builtin_add_overflow(sum.unwritten, *amount, &changed.unwritten);
    if (!range.holds(steps) || is_over) return Decision::not_here;  // the database says what is wrong
    old_sums_.push_back({&space, row, target.number, sum});
    old_touched_.push_back({&space, row, touched});
    if (!sum.is_listed) space.unwritten_sums[target.number].push_back(row);
    if (space.shape().has_checks) space.add_to_turn(changed.turns++, {row, *amount});
    changed.steps = steps;
    changed.is_listed = true;
    sum = changed;
    touched.added |= target.writes;
    return Decision::made;
}

BatchRun::Decision BatchRun::decide_assignment(const Target& target, const EventValues& values,
                                               std::size_t event) {
    const auto& assignment = std::get<Assignment>(target.change->what);
    RowSpace& space = spaces_[target.space];
    std::size_t row = 0;
    const auto found = find_row(target, assignment.key, assignment.missing, values, row);
    if (found != Decision::made) return found;
    auto& touched = space.touched(row);
    // Only the database knows how a value that is not as it was locked compares and converts.
    if (((touched.added | touched.set) & (target.reads | target.writes)) != 0) return Decision::not_here;
    if (!space.guard_holds(row, target.number)) return end_with(assignment.otherwise, guard_is_not_met);
    if (const auto error = append_values(assignment.row, values, pending_->set(target, event, row))) {
        return fail_with(error);
    }
    old_touched_.push_back({&space, row, touched});
    touched.set |= target.writes;
    return Decision::made;
}

std::expected<Newness, Made> BatchRun::read_version(const Upsert& upsert, const EventValues& values) {
    key_.clear();
    version_.clear();
    if (const auto error = append_values(upsert.key, values, key_))
        return std::unexpected(made_nothing(error));
    if (has_null(key_)) return std::unexpected(made_without_key());
    if (const auto error = append_values(upsert.row, values, version_))
        return std::unexpected(made_nothing(error));
    return newness_of(upsert, values);
}

BatchRun::Decision BatchRun::decide_upsert(const Target& target, const EventValues& values,
                                           std::size_t event) {
    const auto& upsert = std::get<Upsert>(target.change->what);
    auto newness = read_version(upsert, values);
    if (!newness) {
        made_ = std::move(newness.error());
        return Decision::ended;
    }
    RowSpace& space = spaces_[target.space];
    const auto found = space.find(key_);
    if (found.presence == RowSpace::Presence::unknown) return Decision::not_here;
    if (found.presence == RowSpace::Presence::unreadable) return fail_with(make_error_code(errc::wrong_type));
    const bool is_known = found.presence == RowSpace::Presence::there;
    const auto row = is_known ? found.row : space.add_missing(key_);
    auto& standing = space.standing(row);
    if (standing.is_there && !standing.newness) return Decision::not_here;
    const auto precedence = precedence_of(upsert, *newness, standing.is_there ? &*standing.newness : nullptr);
    if (!precedence) return Decision::not_here;
    if (*precedence != Precedence::newer) {
        made_ = made_outdated(upsert, *precedence, *newness, *standing.newness);
        return made_.outcome == Outcome::done ? Decision::made : Decision::ended;
    }
    auto& waiting = pending_->upsert(target, event, row, standing);
    waiting.insert(waiting.end(), version_.begin(), version_.end());
    // Not taken back where the event ends otherwise: then all rows are asked for again.
    standing = {std::move(*newness), true, standing.versions + 1};
    return Decision::made;
}

BatchRun::Decision BatchRun::end_with(const Ending& ending, std::string_view why) {
    made_ = ended_with(ending, why);
    return Decision::ended;
}

BatchRun::Decision BatchRun::fail_with(std::error_code error) {
    made_ = made_nothing(error);
    return Decision::ended;
}

}  // namespace sluice::effects
