#include "consumer/store/inbox/of_payment.hpp"

#include <algorithm>

#include "consumer/store/inbox/inbox_columns.hpp"

namespace sluice::store {

void also_numbers(Condition& condition, const NumbersAsked& asked) {
    condition.also_text("reference = ?", asked.reference);
    condition.also_text("transaction = ?", asked.transaction);
}

Result<std::vector<InboxRow>> events_of_payment(Connection& connection, const NumbersAsked& asked,
                                                std::int64_t limit) {
    Condition condition{"TRUE", {}};
    also_numbers(condition, asked);
    condition.parameters.emplace_back(limit);
    const auto rows =
        connection.query("SELECT " + std::string{inbox_columns} + " FROM inbox WHERE " + condition.sql +
                             " ORDER BY received_at DESC, offset_no DESC LIMIT ?",
                         condition.parameters);
    if (!rows) return Failure{rows.error()};
    std::vector<InboxRow> found;
    for (const auto& row : *rows) found.push_back(inbox_row(row));
    std::ranges::reverse(found);
    return found;
}

}  // namespace sluice::store
