#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include "consumer/effects/outcome/outcome.hpp"
#include "consumer/lane/rules/lane.hpp"
#include "consumer/store/driver/error.hpp"

/// What becomes of an event after an attempt.
namespace sluice::lane {

/// What an effect asks for when it does not succeed. Of several, that of the effect which decided counts.
struct Policy {
    int attempts = 0;                              ///< failures after which it is dead; 0: the horizon alone
    Milliseconds horizon{std::chrono::hours{24}};  ///< from the first failure
    Milliseconds defer_for{std::chrono::hours{24}};  ///< from the first deferral
    bool hold_while_deferred = false;  ///< `while_deferred: hold`: later events wait as for a retry
    bool skip_superseded = false;      ///< `after_dead: skip_superseded`
    bool pass_after_case = false;      ///< `after_case: pass`
};

/// How an attempt ended: what the effects came to, or the statement's error.
struct Attempt {
    effects::Outcome outcome = effects::Outcome::done;
    std::optional<store::ErrorClass> error;
    std::optional<Milliseconds> put_off{};  ///< nothing of the event: it waits so long, uncounted
};

struct Ruling {
    enum class Kind {
        done,
        ignored,
        waits,       ///< write `row`: deferred, or retry
        dead,        ///< write `row`, of class `error_class`; the DLQ record is owed
        contention,  ///< lost a lock in a moment's fight, or on our own rows: again soon, uncounted, no end
        trouble,     ///< the database is unavailable: pause, uncounted, no end
    };
    Kind kind = Kind::done;
    Row row;
    std::string_view
        error_class;         ///< closed set but for cases: park data deferred exhausted unknown effect_gone
    bool is_counted = true;  ///< false: it waits for something that is no failure of it
    bool is_case = false;    ///< dead by a rule's word: `error_class` is the rule's, and nothing failed
};

/// `before` is the event's row as it was read, or a fresh one with its position. A deferred row that was run
/// before it was due (after another's success) is deferred on as if it had not been: nothing is counted.
[[nodiscard]] Ruling judge(const Attempt& attempt, const Row& before, const Policy& policy, WallTime now);

/// An effect that the event is bound to is not in this process's configuration. Uncounted: within `grace` of
/// `missing_since` (when a process first missed it) the wakeup goes round once more, which reaches a process
/// that has the effect while a deploy is under way; then the event is dead.
enum class Lacking { send_again, dead };
[[nodiscard]] Lacking on_missing_effect(WallTime missing_since, Milliseconds grace, WallTime now) noexcept;

}  // namespace sluice::lane
