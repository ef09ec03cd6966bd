#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "command/config/definition.hpp"
#include "command/record/call_record.hpp"

/// How a person ends what sluice cannot: after a look at the service, or at the effect's tables. Pure.
namespace sluice::command {

enum class Seen : std::uint8_t {
    executed,     ///< it was done
    not_executed  ///< it was not, and will not be
};

/// How long after its lease a call is left alone: the clock of who asks may differ from the record's.
inline constexpr std::chrono::minutes after_the_lease{5};

/// Why nobody may say now that it was `seen`, as a sentence; empty: somebody may. A call in progress may
/// still be sent until the first lease is over, and one that was given up may still be executed.
[[nodiscard]] std::string why_not_by_hand(const std::optional<KnownCall>& known, const Definition& definition,
                                          Seen seen, WallTime now);

/// What it comes to. `response` is of what was executed. What was not executed may be called again under the
/// same key; but what had been accepted for a hot account has its first response, as where a booker gives up.
[[nodiscard]] CallEnd ended_by_hand(Seen seen, const Definition& definition, Response response,
                                    std::string why);

/// Who ended a command that somebody wanted to end by hand.
enum class EndedBy : std::uint8_t {
    us,
    another,      ///< who was faster
    nobody_knows  ///< us, and then somebody went on with it; or another
};

/// `found` is what stands there after `seen` was to be settled as `end` and the record did not say that it
/// was: a try that nobody confirmed may have written it.
[[nodiscard]] EndedBy ended_by(const std::optional<KnownCall>& found, const KnownCall& seen,
                               const CallEnd& end);

}  // namespace sluice::command
