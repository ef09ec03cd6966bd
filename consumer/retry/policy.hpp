#pragma once

#include <optional>
#include <string_view>

#include "common/clock.hpp"
#include "consumer/effects/outcome.hpp"
#include "consumer/retry/backoff.hpp"
#include "consumer/store/error.hpp"

namespace sluice::consumer {

/// What became of one event that was run alone and was not applied.
enum class Next {
    again,       ///< held with its followers, counted
    aside,       ///< deferred: set aside, followers run
    contention,  ///< lost a lock: held with its followers, never counted, no end
    trouble,     ///< the database cannot serve anybody: everything goes back, nothing counted, no end
    dead,        ///< dead-letter
};

struct Decision {
    Next next = Next::dead;
    std::string_view
        error_class;  ///< for `dead`: "park", "data", "deferred", "exhausted", "unknown"; closed set
};

/// The rules of this version, which has no lanes: deferred and retried events end after
/// `give_up_after` in the DLQ; lost locks and infrastructure never do. Pure.
struct RetryPolicy {
    Milliseconds give_up_after{30'000};
    int unknown_tries = 3;

    /// `outcome` and `error` as the effects gave them; `attempts` counts this one; `trying_for` is
    /// the time since the first failure.
    [[nodiscard]] Decision decide(effects::Outcome outcome, std::optional<store::ErrorClass> error,
                                  int attempts, Milliseconds trying_for) const;
};

}  // namespace sluice::consumer
