#include "consumer/store/driver/statement.hpp"

#include <cppconn/parameter_metadata.h>

#include <stdexcept>
#include <string>
#include <utility>

#include "consumer/store/driver/values.hpp"

namespace sluice::store {
namespace {

/// Those that the server has named already: of some statements it names none before they run.
std::vector<Column> columns_of(sql::ResultSetMetaData& result) {
    std::vector<Column> columns;
    for (unsigned int number = 1; number <= result.getColumnCount(); ++number) {
        columns.emplace_back(result, number);
    }
    return columns;
}

std::vector<Row> rows_of(sql::ResultSet& result) {
    const auto columns = columns_of(*result.getMetaData());
    if (columns.empty()) throw std::logic_error("query() was given a statement without a result");
    std::vector<Row> rows;
    rows.reserve(result.rowsCount());
    while (result.next()) {
        auto& row = rows.emplace_back();
        row.reserve(columns.size());
        for (const auto& column : columns) row.push_back(column.value(result));
    }
    // A row that could not be fetched looks to the connector like the end.
    if (rows.size() != result.rowsCount()) throw sql::SQLException{"a row is missing", "HY000", 2027};
    return rows;
}

}  // namespace

Statement::Statement(StatementHandle handle, std::vector<Comparison> comparisons)
    : handle_{std::move(handle)},
      parameter_count_{static_cast<std::size_t>(handle_->getParameterMetaData()->getParameterCount())},
      comparisons_{std::move(comparisons)} {}

std::expected<Statement, DriverError> Statement::prepare(sql::Connection& session, std::string_view text) {
    return attempt([&] {
        StatementHandle handle{session.prepareStatement(sql::SQLString{text.data(), text.size()})};
        std::vector<Comparison> comparisons;
        for (const auto& column : columns_of(*handle->getMetaData()))  // throws where one cannot be read
            comparisons.push_back(column.comparison());
        return Statement{std::move(handle), std::move(comparisons)};
    });
}

void Statement::expect(std::size_t count) const {
    if (count == parameter_count_) return;
    throw std::logic_error("a statement got " + std::to_string(count) + " parameters and wants " +
                           std::to_string(parameter_count_));
}

std::expected<std::int64_t, DriverError> Statement::execute(std::span<const Datum> parameters) {
    expect(parameters.size());
    return attempt([&]() -> std::int64_t {
        const Bound bound{*handle_, parameters};
        if (const int matched = handle_->executeUpdate(); matched >= 0) return matched;
        // MariaDB's RETURNING gives rows: they must be off the wire before the next statement.
        const ResultHandle returned{handle_->getResultSet()};
        return static_cast<std::int64_t>(returned->rowsCount());
    });
}

std::expected<std::vector<Row>, DriverError> Statement::query(std::span<const Datum> parameters) {
    expect(parameters.size());
    return attempt([&] {
        const Bound bound{*handle_, parameters};
        const ResultHandle result{handle_->executeQuery()};
        return rows_of(*result);
    });
}

}  // namespace sluice::store
