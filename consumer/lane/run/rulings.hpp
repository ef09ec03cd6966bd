#pragma once

#include "consumer/apply/dead_letter_budget.hpp"
#include "consumer/apply/setback.hpp"
#include "consumer/effects/effect_set/effect_set.hpp"
#include "consumer/lane/rules/after_attempt.hpp"
#include "consumer/record/record.hpp"
#include "consumer/store/dead_letter/dead_letter.hpp"
#include "consumer/telemetry/disposition.hpp"

namespace sluice::consumer {

/// lane::judge for a setback: by the policy of the effect that decided, the default one where none did. A
/// reason of our own (a body that cannot be read) is final, except a source that another process may know:
/// then the event waits, uncounted (RowRun says for how long). Its class is a view of the setback's.
[[nodiscard]] lane::Ruling ruling_on(const Setback& setback, const lane::Row& before,
                                     const effects::EffectSet& effects, WallTime now);

/// A lost lock counts for nothing, but a fight that is lost for the `times`-th time in a row over the
/// effect's own rows, by an event that runs alone, becomes a failure like any other. One that was waited for
/// in vain never does: such an event waits in its lane.
[[nodiscard]] Setback as_counted(Setback setback, int times);

/// The class of events that our own tables refuse: a worker that retries them for ever does nothing else.
inline constexpr std::string_view set_apart_class = "set_apart";

/// The class of events whose keys an ingress has made from another file than the consumer's.
inline constexpr std::string_view keys_changed_class = "keys_changed";

/// What is reported of an event that waits now, or died.
[[nodiscard]] Disposition disposition_of(const lane::Ruling& ruling) noexcept;

/// Given up for a reason of our own.
[[nodiscard]] lane::Ruling death(const lane::Row& before, std::string_view error_class, WallTime now);

/// What a death is charged to (see lane::Budget), and why, for people.
struct Charge {
    std::string_view subject;
    std::string_view reason;
};
/// The ruling itself, or, where the budget does not let the event die, another attempt later, uncounted. A
/// case is no failure and costs nothing.
[[nodiscard]] lane::Ruling within_budget(const lane::Ruling& ruling, const lane::Row& before,
                                         const Charge& charge, DeadLetterBudget& budget, WallTime now);

/// What a setback is charged to: the effect that decided, else the class.
[[nodiscard]] std::string subject_of(const Setback& setback, const lane::Ruling& ruling);

/// The death of an item whose payment is noted, as on-call gets to see it. The views live as long as the
/// arguments.
struct Death {
    const Item& item;
    std::string_view topic;  ///< that the record came from
    std::string_view object_key;
    const lane::Ruling& ruling;
    std::string_view reason;
};
[[nodiscard]] store::DeadLetter dead_letter_of(const Death& death, const store::LanePlace& place);

}  // namespace sluice::consumer
