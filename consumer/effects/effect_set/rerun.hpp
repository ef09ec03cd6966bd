#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "consumer/effects/effect_set/effect_set.hpp"
#include "consumer/store/inbox/inbox.hpp"

namespace sluice::effects {

/// What a finished event is to have now. An effect is known by its name: one that the event had under it is
/// never run for it again, no matter what its statements say today.
struct Rerun {
    std::vector<std::string> had;      ///< before, in the order in which it had them
    std::vector<std::string> effects;  ///< of today, in file order: they match it, and it had them not
    /// Why there is nothing to run. Closed set: unfinished under_way skipped newer had_unknown no_such_effect
    /// had_all. Empty: `effects` has some.
    std::string_view why{};
};

/// `matching`: the effects of today that match it. `only`: this effect alone; empty: all. Pure. Of an event
/// that was finished by a program which did not write what it had, only `ignored` says so: it had none. What
/// a done one had is not known, and nothing is run for it.
[[nodiscard]] Rerun rerun_of(const store::InboxRow& row, std::span<const Effect* const> matching,
                             const EffectSet& effects, std::string_view only);

}  // namespace sluice::effects
