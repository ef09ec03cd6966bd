#pragma once

#include <cstddef>
#include <expected>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/config/section.hpp"
#include "consumer/effects/effect/effect.hpp"
#include "consumer/effects/effect/parameters.hpp"
#include "consumer/effects/outcome/rows.hpp"

namespace sluice::effects {

/// Where a ? of a statement gets its value.
struct Slot {
    std::size_t parameter = 0;  ///< index into `let`, when `built_in` is empty
    std::string built_in;
};

/// One item of `sql:`.
struct SqlStatement {
    config::Place place;  ///< of its text, for messages
    std::string text;     ///< as the server prepares it
    std::vector<Slot> slots;
    RowOutcomes rows;
};

/// Kind `sql`: statements run in order, once per event, prepared, their parameters bound and typed.
class SqlEffect final : public Effect {
public:
    SqlEffect(Heading heading, std::vector<Parameter> let, std::vector<SqlStatement> statements);

    [[nodiscard]] std::vector<std::string> tables() const override;
    [[nodiscard]] std::span<const Parameter> let() const noexcept override { return let_; }
    [[nodiscard]] Result<void> check(store::Connection& connection, config::Problems& problems,
                                     std::vector<Lack>& missing) const override;
    [[nodiscard]] Verdict run(const EventView& event, store::Connection& connection) const override;

private:
    /// The values of `let`, once per event.
    [[nodiscard]] std::expected<std::vector<store::Datum>, Verdict> evaluate(const EventView& event) const;
    [[nodiscard]] Verdict run_one(const SqlStatement& statement, const std::vector<store::Datum>& values,
                                  const EventView& event, store::Connection& connection) const;

    std::vector<Parameter> let_;
    std::vector<SqlStatement> statements_;
};

/// Reads `let` and `sql` of an effect's section. What is wrong goes to the section's problems; what comes
/// back then is good for finding more of them only.
[[nodiscard]] std::unique_ptr<const Effect> read_sql_effect(Heading heading, config::Section& section);

}  // namespace sluice::effects
