#pragma once

#include <string>
#include <vector>

#include "common/config/section.hpp"
#include "consumer/effects/effect/effect.hpp"
#include "consumer/effects/effect/prepared_text.hpp"
#include "consumer/effects/outcome/rows.hpp"

namespace sluice::effects {

/// One item of `sql:`.
struct SqlStatement {
    config::Place place;  ///< of its text, for messages
    PreparedText change;
    RowOutcomes rows;
};

/// Kind `sql`: statements run in order, once per event, prepared, their parameters bound and typed.
class SqlEffect final : public Effect {
public:
    SqlEffect(Heading heading, std::vector<SqlStatement> statements);

    [[nodiscard]] std::vector<std::string> tables() const override;
    [[nodiscard]] Result<void> check(store::Connection& connection, config::Problems& problems,
                                     std::vector<Lack>& missing) const override;

private:
    [[nodiscard]] Verdict apply(const EventValues& event, store::Connection& connection) const override;
    [[nodiscard]] Verdict run_one(const SqlStatement& statement, const EventValues& event,
                                  store::Connection& connection) const;

    std::vector<SqlStatement> statements_;
};

/// Reads `sql` of an effect's section. What is wrong goes to the section's problems; what comes back then is
/// good for finding more of them only.
[[nodiscard]] std::vector<SqlStatement> read_statements(config::Section& section, NameScope& names);

}  // namespace sluice::effects
