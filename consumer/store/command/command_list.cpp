#include "consumer/store/command/command_list.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "consumer/store/driver/condition.hpp"
#include "consumer/store/inbox/inbox_columns.hpp"

namespace sluice::store {
namespace {

// As the migration numbers them.
constexpr std::array<CommandState, 4> states{CommandState::in_progress, CommandState::done,
                                             CommandState::retryable, CommandState::failed};

const std::string command_columns =
    "key_digest, command, caller, caller_key, status, content_type,"
    " CAST(OCTET_LENGTH(response) AS SIGNED), begun_at, keep_until, keep_until <= UTC_TIMESTAMP(6),"
    " CAST(state AS SIGNED), why";

CommandRow command_from(const Row& row) {
    return {.key = digest_column(row.at(0)),
            .command = text_column(row.at(1)),
            .caller = text_column(row.at(2)),
            .caller_key = text_column(row.at(3)),
            .state = states.at(static_cast<std::size_t>(std::get<std::int64_t>(row.at(10)))),
            .why = text_column(row.at(11)),
            .status = number_or_none(row.at(4)),
            .content_type = text_column(row.at(5)),
            .response_bytes = number_or_none(row.at(6)).value_or(0),
            .begun_at = std::get<WallTime>(row.at(7)),
            .keep_until = std::get<WallTime>(row.at(8)),
            .has_expired = std::get<std::int64_t>(row.at(9)) != 0};
}

/// The index has the states apart, each by its age.
std::vector<std::int64_t> states_of(const CommandFilter& filter) {
    if (filter.state == "in_progress") return {0};
    if (filter.state == "done") return {1};
    if (filter.state == "failed") return {2, 3};
    return {0, 1, 2, 3};
}

Condition condition_of(std::int64_t state, const CommandFilter& filter,
                       const std::optional<CommandPlace>& after) {
    Condition condition{"state = ?", {std::int64_t{state}}};
    if (after) {
        condition.also("keep_until <= ?", after->keep_until);
        condition.also("(keep_until < ?", after->keep_until);
        condition.sql += " OR key_digest < ?)";
        condition.parameters.push_back(digest_datum(after->key));
    }
    condition.also_text("command = ?", filter.command);
    condition.also_text("caller = ?", filter.caller);
    if (filter.status) condition.also("status = ?", *filter.status);
    return condition;
}

/// A page of each state, and of these the first page.
Condition pages_of(const CommandFilter& filter, std::int64_t limit,
                   const std::optional<CommandPlace>& after) {
    static constexpr std::string_view order = " ORDER BY keep_until DESC, key_digest DESC LIMIT ?";
    Condition pages;
    for (const std::int64_t state : states_of(filter)) {
        const auto condition = condition_of(state, filter, after);
        pages.sql += pages.sql.empty() ? "(SELECT " : " UNION ALL (SELECT ";
        // The optimizers would rather sort the whole table.
        pages.sql += command_columns + " FROM command_key FORCE INDEX (command_key_age) WHERE ";
        pages.sql += condition.sql;
        pages.sql += order;
        pages.sql += ')';
        std::ranges::copy(condition.parameters, std::back_inserter(pages.parameters));
        pages.parameters.emplace_back(limit);
    }
    pages.sql += order;
    pages.parameters.emplace_back(limit);
    return pages;
}

}  // namespace

std::string_view name_of(CommandState state) noexcept {
    if (state == CommandState::in_progress) return "in_progress";
    return state == CommandState::done ? "done" : "failed";
}

Result<std::vector<CommandRow>> list_commands(Connection& connection, const CommandFilter& filter,
                                              std::int64_t limit, const std::optional<CommandPlace>& after) {
    const auto pages = pages_of(filter, limit, after);
    const auto rows = connection.query(pages.sql, pages.parameters);
    if (!rows) return Failure{rows.error()};
    std::vector<CommandRow> commands;
    for (const auto& row : *rows) commands.push_back(command_from(row));
    return commands;
}

Result<std::optional<CommandRow>> find_command(Connection& connection, const crypto::Digest& key) {
    const std::array<Datum, 1> parameters{digest_datum(key)};
    const auto rows = connection.query(
        "SELECT " + command_columns + ", response FROM command_key WHERE key_digest = ?", parameters);
    if (!rows) return Failure{rows.error()};
    if (rows->empty()) return std::nullopt;
    auto command = command_from(rows->front());
    if (command.status) command.response = text_column(rows->front().back());
    return command;
}

}  // namespace sluice::store
