#pragma once

#include <optional>

#include "command/record/call_record.hpp"

/// What a request does with the record of its key. Pure.
namespace sluice::command {

enum class Step : std::uint8_t {
    insert,
    restart,    ///< and call
    take_over,  ///< and find out what became of it: a lease that is over says nothing about the call
    tell        ///< what is known
};

[[nodiscard]] Step step_for(const std::optional<KnownCall>& known, const crypto::Digest& fingerprint);

/// What is told where the step is `tell`, or where somebody else was first.
[[nodiscard]] Answer answer_from(const KnownCall& known, const crypto::Digest& fingerprint);
/// To whoever finished the call itself.
[[nodiscard]] Answer answer_from(const CallEnd& end);
[[nodiscard]] Standing standing_of(const std::optional<KnownCall>& known);
/// While a request with the key is held since then (nullopt: none is), nothing is absent, and what may be
/// tried again is about to be.
[[nodiscard]] Standing standing_while_held(const Standing& standing, std::optional<WallTime> held_since);

}  // namespace sluice::command
