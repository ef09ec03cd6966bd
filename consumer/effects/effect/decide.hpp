#pragma once

#include <string>
#include <vector>

#include "common/config/section.hpp"
#include "consumer/effects/effect/lack.hpp"
#include "consumer/effects/outcome/ending.hpp"
#include "consumer/effects/outcome/verdict.hpp"
#include "consumer/effects/value/prepared_text.hpp"
#include "consumer/store/driver/connection.hpp"

namespace sluice::effects {

/// `decide` of an effect: one SELECT, which may lock, says whether the effect goes on. Its first column is
/// the outcome: done (the effect's changes are made), ignore, defer, retry, park or park:CLASS. Its second
/// one, where there is one, is the reason. Immutable.
class Decide {
public:
    /// {select: SELECT …, none: OUTCOME}. What is wrong goes to the section's problems.
    static Decide read(config::Section section, NameScope& names);

    /// As Effect::check.
    [[nodiscard]] Result<void> check(const std::string& effect, store::Connection& connection,
                                     config::Problems& problems, std::vector<Lack>& missing) const;

    /// A failure of the effect where the SELECT fails, gives several rows, or says what is no outcome.
    [[nodiscard]] Verdict run(const std::string& effect, const EventValues& event,
                              store::Connection& connection) const;

private:
    config::Place place_;
    PreparedText select_;
    Ending none_;
};

/// What the rows of a `decide` come to. Pure.
[[nodiscard]] Verdict decision_of(const std::vector<store::Row>& rows, const Ending& none,
                                  const std::string& effect, const EventValues& event);

}  // namespace sluice::effects
