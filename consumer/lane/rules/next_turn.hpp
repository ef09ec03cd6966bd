#pragma once

#include "consumer/lane/rules/lane.hpp"

/// The retry role's rules: what a record that touches a lane has to do.
///
/// The record is handled in a loop, each turn one transaction that holds the lane's lock: `duty_of` says what
/// is next; what is owed is produced, its report awaited and marked; a pass is continued. The record is
/// acknowledged only when `duty_of` has said `none`, so that a crash anywhere leaves it to the next owner.
namespace sluice::lane {

/// What is next for a record that touches a lane.
struct Duty {
    enum class Kind {
        send_dead_letter,  ///< produce the DLQ record of `dead`, mark that death, check again
        run_pass,          ///< ask `next_turn`
        send_wakeup,       ///< produce the wakeup of `gen`, mark it, check again
        none,              ///< acknowledge
    };
    Kind kind = Kind::none;
    OwedDeath dead;
    Generation gen = 0;

    bool operator==(const Duty&) const = default;
};

/// Every record that touches a lane sends what the lane owes: a wakeup of any generation (`wakeup`), a
/// command, a redelivered event of any status. Its first owner may have died before that. Only a wakeup of
/// the current generation runs a pass.
[[nodiscard]] Duty duty_of(const Lane& lane, std::optional<Generation> wakeup) noexcept;

/// How far a pass has come. It lives in memory, as long as its wakeup is handled.
struct Pass {
    Generation gen = 0;
    Position had_turn = 0;     ///< deferred rows up to here failed since the last success
    bool had_success = false;  ///< deferred rows run, due or not: what they wait for may be there now
};

/// What a pass does next.
struct Turn {
    enum class Kind {
        run,   ///< `row`, its effects in this transaction
        arm,   ///< over; rows wait for time: write `armed(wakeup, due)`
        rest,  ///< over; nothing does: write `at_rest(wakeup)`
    };
    Kind kind = Kind::rest;
    Row row;
    WallTime due{};
};

/// In the transaction in which `duty_of` said run_pass, so of the lane's own generation.
[[nodiscard]] Turn next_turn(const Lane& lane, const Pass& pass, WallTime now);

/// A new event has just been applied past deferred ones: the role that applied it gives them a turn at once,
/// without waiting for a wakeup. What such a pass leaves is covered by the wakeup that is under way.
[[nodiscard]] Pass early_pass(const Lane& lane) noexcept;

/// The lane's own row after it: armed only where something is due sooner than that wakeup.
[[nodiscard]] Wakeup after_early_pass(const Lane& lane, WallTime now) noexcept;

/// The pass after its row was finished (done, or skipped as superseded).
[[nodiscard]] Pass after_success(const Pass& pass) noexcept;

/// The pass after its row became `failed`.
[[nodiscard]] Pass after_failure(const Pass& pass, const Row& failed) noexcept;

/// Whether a row that died is finished as skipped at once: a later event, parked by now, that the same
/// effects match is to take its place.
[[nodiscard]] bool dies_superseded(const Row& dead, bool has_later_of_same_effects) noexcept;

/// Whether the second transaction, which writes a failure, may write it: since `tried` was read neither the
/// generation nor the row has changed, and nothing holds it. Otherwise the record starts over.
[[nodiscard]] bool still_stands(const Lane& lane, const Pass& pass, const Row& tried) noexcept;

}  // namespace sluice::lane
