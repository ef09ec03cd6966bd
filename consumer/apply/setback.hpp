#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "consumer/effects/outcome/outcome.hpp"
#include "consumer/store/driver/connection.hpp"
#include "consumer/store/driver/error.hpp"

namespace sluice::consumer {

/// Why a transaction was rolled back.
struct Setback {
    effects::Outcome outcome = effects::Outcome::park;
    std::optional<store::ErrorClass> database;  ///< set when a statement failed, ours or an effect's
    std::string_view own_class;    ///< our own reason: unreadable, source_unknown; empty otherwise
    std::string reason;            ///< one sentence; data of the event only where a rule puts it there
    std::string effect;            ///< the one that decided; empty: none did
    std::string case_class{};      ///< of a park that is a case for a person: the rule's word for it
    bool quotes_event = false;     ///< `reason` has data of the event
    bool waited_for_lock = false;  ///< for as long as it may
    bool of_effects = false;       ///< what failed was a statement of effects
    bool overran = false;          ///< its statement was ended for its length, and the session went with it
    bool was_not_run = false;      ///< it ended its session too often (TroubledRuns)
    bool is_held = false;          ///< not tried, since the effect is held (EffectHolds)
};

/// The class of events whose provider and principal match no source of this process: another may know them.
inline constexpr std::string_view source_unknown_class = "source_unknown";

/// A statement of ours failed on this connection, or its last check found other effects in force
/// (errc::stopped): then nothing can be done until the process has left.
[[nodiscard]] Setback statement_failed(const store::Connection& connection, std::error_code error);

/// The reason for /readyz and for logs of the process, where no data of an event may stand.
[[nodiscard]] std::string reason_without_data(const Setback& setback);

/// Its effect ran for too long, or waited for a lock for too long.
[[nodiscard]] bool took_too_long(const Setback& setback) noexcept;

/// Another session holds rows or tables of its effect, maybe for long: not worth another wait in memory.
[[nodiscard]] bool is_blocked(const Setback& setback) noexcept;

/// An effect lacks a table, a column or a right.
[[nodiscard]] bool lacks_something(const Setback& setback) noexcept;

/// Run again at once, it would fail again, or cost all others that time once more.
[[nodiscard]] bool would_fail_again(const Setback& setback) noexcept;

/// No event is at fault and nothing else would succeed either.
[[nodiscard]] bool is_trouble(const Setback& setback) noexcept;

}  // namespace sluice::consumer
