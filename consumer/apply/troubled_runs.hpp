#pragma once

#include <optional>

#include "common/clock.hpp"
#include "consumer/apply/setback.hpp"
#include "consumer/record/record.hpp"

namespace sluice::consumer {

/// A run in which the session ended counts for nothing, as a rule: the event waits with all others. But an
/// event whose own statement ends its session each time would make its worker wait for ever. So after three
/// such runs over five seconds, and none between them in which its effects came to an outcome, the event is
/// taken for the cause; after one, if its statement was ended for its length and the session went with it.
constexpr int most_troubled_runs = 3;
constexpr Milliseconds shortest_trouble{5000};

/// A run of its effects came to `setback`, or that of the batch that it was in.
void note_run(TroubledRuns& runs, const Setback& setback, SteadyTime now);
/// What `note_run` gets for a batch that does not know whose statement it was: each event shows by itself
/// what it does.
[[nodiscard]] Setback without_culprit(Setback setback);

/// A failure of the effect that was at work, for an event that is the cause; nullopt: it may be run.
[[nodiscard]] std::optional<Setback> failure_if_cause(const TroubledRuns& runs);
/// That failure is written. With the next such run it is the cause once more.
void forgive_once(TroubledRuns& runs) noexcept;

}  // namespace sluice::consumer
