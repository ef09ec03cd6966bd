#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "common/config/section.hpp"
#include "consumer/effects/effect/effect.hpp"
#include "consumer/effects/sql/rows.hpp"
#include "consumer/effects/value/prepared_text.hpp"

namespace sluice::effects {

/// One item of `sql:`.
struct SqlStatement {
    config::Place place;  ///< of its text, for messages
    PreparedText change;
    RowOutcomes rows;
};

/// Kind `sql`: statements run in order, once per event, prepared, their parameters bound and typed. Without
/// one, all is said by `decide`.
class SqlEffect final : public Effect {
public:
    SqlEffect(Heading heading, std::vector<SqlStatement> statements);

    [[nodiscard]] std::vector<std::string> tables() const override;

private:
    [[nodiscard]] Result<void> check_statements(store::Connection& connection, config::Problems& problems,
                                                std::vector<Lack>& missing) const override;
    [[nodiscard]] Verdict apply(const EventValues& event, store::Connection& connection) const override;
    [[nodiscard]] Verdict run_one(std::size_t number, const EventValues& event,
                                  store::Connection& connection) const;

    std::vector<SqlStatement> statements_;
};

/// Reads `sql` of an effect's section. What is wrong goes to the section's problems; what comes back then is
/// good for finding more of them only.
[[nodiscard]] std::vector<SqlStatement> read_statements(config::Section& section, NameScope& names);

}  // namespace sluice::effects
