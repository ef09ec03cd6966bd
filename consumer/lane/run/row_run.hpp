#pragma once

#include <expected>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "consumer/apply/effects_run.hpp"
#include "consumer/apply/own_failures.hpp"
#include "consumer/lane/rules/after_attempt.hpp"
#include "consumer/lane/rules/next_turn.hpp"
#include "consumer/lane/run/lane_context.hpp"
#include "consumer/store/driver/open_transaction.hpp"
#include "consumer/store/lane/lane.hpp"

namespace sluice::consumer {

/// One row's turn in a pass: its effects, and what became of it. A success is one transaction under the
/// lane's lock; a failure is rolled back and written by a second one, if everything still stands. One
/// thread's.
class RowRun {
public:
    explicit RowRun(const LaneContext& context) : context_{context}, one_{context.rules} {}

    struct End {
        enum class Kind {
            finished,    ///< its row is gone: done, ignored, or superseded
            failed,      ///< `row` is written: deferred, retry or dead
            start_over,  ///< the lane has changed meanwhile
            lacking,     ///< its source or an effect is not in our configuration: another process may have it
            newer,       ///< its inbox row has a status that only a newer release knows: rolled back
            contention,  ///< lost a lock: the same again soon
            trouble,     ///< the database is unavailable; `reason`
        };
        Kind kind = Kind::finished;
        lane::Row row{};
        std::string reason{};
    };

    /// `row` is one of `lane.lane.front`; `open` holds the lane. `object_key`: of the lane.
    [[nodiscard]] Result<End> run(store::Connection& connection, std::string_view object_key,
                                  store::OpenTransaction open, store::LockedLane lane, const lane::Pass& pass,
                                  const lane::Row& row);

private:
    /// The row that runs.
    struct Tried {
        store::Connection& connection;
        std::string_view object_key;
        lane::Pass pass;
        lane::Row row;
        store::EventFacts facts;
        std::string topic;
        std::optional<std::vector<std::string>> had;  ///< of a rerun: the effects that it had before
        Item item;
    };
    /// Why it was not done.
    struct Failing {
        lane::Ruling ruling;
        std::string reason;
        std::string subject{};  ///< what a death is charged to; empty: to nothing
        std::string charged{};  ///< for what; empty: `reason`, which has no data of the event
    };

    /// What our configuration lacks to run it.
    struct Lack {
        std::string_view error_class;  ///< of the death, in the end
        std::string subject;           ///< what that is charged to
        std::string reason;
    };
    using Effects = std::vector<const effects::Effect*>;

    /// The effects of today that match the event, which are bound to it now. Before that, all that were bound
    /// to it have to be there: another process may have the one that we lack. A rerun keeps those that it was
    /// asked for.
    [[nodiscard]] std::expected<Effects, Lack> effects_of(Tried& tried) const;
    [[nodiscard]] std::expected<Effects, Lack> effects_named(std::span<const std::string> names) const;
    [[nodiscard]] Result<End> attempt(Tried& tried, store::OpenTransaction open, store::LockedLane& lane);
    enum class TakenIn : std::uint8_t { fresh, copy, conflict, too_old };
    /// A row without an inbox key could not be read when it came, by an older release, and can be now: its
    /// inbox row goes with its effects. `copy`: it came otherwise meanwhile, and that counts.
    [[nodiscard]] Result<TakenIn> take_in(Tried& tried);
    [[nodiscard]] Result<End> not_taken_in(Tried& tried, TakenIn why, store::OpenTransaction open,
                                           store::LockedLane& lane);
    [[nodiscard]] Result<End> leave_to_copy(Tried& tried, store::OpenTransaction open,
                                            store::LockedLane& lane);
    [[nodiscard]] Result<void> finish(Tried& tried, store::OpenTransaction& open, store::LockedLane& lane);
    [[nodiscard]] Result<End> lacking(Tried& tried, store::OpenTransaction open, store::LockedLane& lane,
                                      Lack lack);
    [[nodiscard]] Result<End> write_failure(Tried& tried, Failing failing);
    [[nodiscard]] Result<End> write_death(Tried& tried, const Failing& failing, store::OpenTransaction open,
                                          store::LockedLane& lane);
    [[nodiscard]] Result<void> finish_superseded(Tried& tried, store::LockedLane& lane);
    [[nodiscard]] Result<void> write_dead_row(Tried& tried, const Failing& failing, store::LockedLane& lane);
    [[nodiscard]] Result<void> write_row(Tried& tried, const Failing& failing, const store::LockedLane& lane);

    /// Its inbox row is not that of an unfinished event, or was not when we wanted to change it.
    [[nodiscard]] Result<End> unmatched(Tried& tried);
    [[nodiscard]] static std::string text_of(const Tried& tried);
    using Place = std::tuple<std::string, lane::Position, std::int64_t>;  // object, and its record's offset
    [[nodiscard]] static Place place_of(const Tried& tried);
    void remember(const Tried& tried);
    /// A lost lock that is one too many for this row comes back as a failure.
    [[nodiscard]] Setback counted(Tried& tried, Setback setback);

    LaneContext context_;
    EffectsRun one_;
    std::map<Place, Failures> failures_;  // lost locks in a row, and troubled runs
    OwnFailures own_failures_;            // by object and place
};

}  // namespace sluice::consumer
