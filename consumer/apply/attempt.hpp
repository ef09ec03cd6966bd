#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "consumer/effects/outcome.hpp"
#include "consumer/store/connection.hpp"
#include "consumer/store/error.hpp"

namespace sluice::consumer {

/// Why a transaction was rolled back.
struct Setback {
    effects::Outcome outcome = effects::Outcome::park;
    std::optional<store::ErrorClass> database;  ///< set when a statement failed, whoever's it was
    std::string_view own_class;    ///< our own reason: unreadable, source_unknown; empty otherwise
    std::string reason;            ///< one sentence, no data of the event
    std::string effect;            ///< the one that decided; empty: none did
    bool waited_for_lock = false;  ///< for as long as it may
};

/// The class of events whose provider and principal are no source of this process: another one may know them.
inline constexpr std::string_view source_unknown_class = "source_unknown";

/// A statement of ours failed on this connection, or its last look found other effects in force
/// (errc::stopped): then nothing can be done until the process has left.
[[nodiscard]] Setback statement_failed(const store::Connection& connection, std::error_code error);

/// Run again, its effect would cost all others that time once more.
[[nodiscard]] bool took_too_long(const Setback& setback) noexcept;

/// Somebody holds rows or tables of its effect, and may do so for long: not worth another wait in memory.
[[nodiscard]] bool is_blocked(const Setback& setback) noexcept;

/// Nobody's event is at fault and nothing else would succeed either.
[[nodiscard]] bool is_trouble(const Setback& setback) noexcept;

}  // namespace sluice::consumer
