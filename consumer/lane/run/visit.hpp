#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "consumer/lane/rules/next_turn.hpp"
#include "consumer/lane/run/lane_context.hpp"
#include "consumer/lane/run/owed_records.hpp"
#include "consumer/lane/run/row_run.hpp"

namespace sluice::consumer {

/// How a visit ended.
enum class Visited {
    settled,      ///< nothing is owed and nothing can run now: the record may be acknowledged
    others_turn,  ///< the same record once more, behind the others: it has had its time
    again_soon,   ///< the same record once more after a while: a lost lock, or a broker that did not
                  ///< acknowledge (readiness says so)
    again_first,  ///< as again_soon, and later commands on its object wait for it: a command that lost a lock
    trouble,      ///< the database is unavailable
};

/// What a visit does where another transaction holds its lane.
enum class IfLocked {
    wait,   ///< as long as statements wait for locks
    leave,  ///< again_soon at once: others of the worker would wait with it
};

/// Handles that a record touches a lane: sends what the lane owes and, for a wakeup of the lane's own
/// generation, runs a pass. Turn after turn, each in its own transaction that holds the lane's lock; the
/// rules are in consumer/lane/rules/next_turn.hpp. Both roles use it. One thread's.
class LaneVisit {
public:
    explicit LaneVisit(const LaneContext& context)
        : context_{context}, rows_{context}, owed_records_{context} {}

    /// `wakeup`: the generation that a wakeup names; nullopt for any other record (a duplicate, a command, a
    /// wakeup that cannot be read). Outside of a transaction. `trouble` gets why the database is unavailable.
    [[nodiscard]] Visited visit(store::Connection& connection, std::string_view object_key,
                                std::optional<lane::Generation> wakeup, std::string& trouble,
                                IfLocked if_locked = IfLocked::wait);

    /// As `visit` without a wakeup, after an early pass: an event of the object was applied past deferred
    /// ones, or an operator's command was carried out. What the pass leaves undone is covered by the wakeup.
    [[nodiscard]] Visited visit_early(store::Connection& connection, std::string_view object_key,
                                      std::string& trouble, IfLocked if_locked = IfLocked::wait);

private:
    struct Round {
        store::Connection& connection;
        std::string_view object_key;
        store::LaneKey key;
        std::optional<lane::Generation> wakeup;
        IfLocked if_locked;
        bool wants_early_pass = false;
        std::optional<lane::Pass> pass{};  ///< under way
        bool is_early = false;             ///< the pass
        lane::Position finished_up_to = 0;
        bool is_dead_letter_refused = false;  ///< the lane's DLQ record stays owed, the rest goes on
        bool is_first_look = true;
        bool is_late = false;   ///< others have waited long enough
        std::string trouble{};  ///< why the database is unavailable to an effect
    };
    enum class Step { again, settled, turn_over, later, trouble };

    [[nodiscard]] Visited run(Round round, std::string& trouble);
    /// One of our own statements failed. What fails three times in the same way while the database serves
    /// others is left to the sweeper: it stays owed and due in MySQL.
    [[nodiscard]] Visited given_up(const Round& round, std::error_code error, std::string& trouble);
    [[nodiscard]] Result<Step> step(Round& round);
    [[nodiscard]] Result<Step> turn(Round& round, store::OpenTransaction open, store::LockedLane lane);
    /// A row of the lane is a newer release's: its wakeup goes round once more, to a process of that release.
    [[nodiscard]] Result<Step> leave(Round& round);
    [[nodiscard]] Result<Step> end_pass(Round& round, store::OpenTransaction open,
                                        const store::LockedLane& lane, const lane::Turn& turn);
    [[nodiscard]] Result<Step> send_owed(Round& round, const store::LockedLane& lane, const lane::Duty& duty);
    [[nodiscard]] Result<Step> after_row(Round& round, RowRun::End end);

    LaneContext context_;
    RowRun rows_;
    OwedRecords owed_records_;
    OwnFailures own_failures_;  // by object
};

}  // namespace sluice::consumer
