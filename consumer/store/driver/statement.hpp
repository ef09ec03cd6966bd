#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string_view>
#include <vector>

#include "consumer/store/driver/connection.hpp"
#include "consumer/store/driver/connector.hpp"

/// Inside of Connection: nothing else includes this.
namespace sluice::store {

/// One prepared statement.
class Statement {
public:
    /// 2036 where its result has a column that the connector cannot read.
    static std::expected<Statement, DriverError> prepare(sql::Connection& session, std::string_view text);

    [[nodiscard]] std::size_t parameter_count() const noexcept { return parameter_count_; }
    [[nodiscard]] const std::vector<Comparison>& comparisons() const noexcept { return comparisons_; }
    /// Rows matched. `parameters` are as many as parameter_count.
    [[nodiscard]] std::expected<std::int64_t, DriverError> execute(std::span<const Datum> parameters);
    /// Fetches everything, so that the session is free for the next statement.
    [[nodiscard]] std::expected<std::vector<Row>, DriverError> query(std::span<const Datum> parameters);

private:
    Statement(StatementHandle handle, std::vector<Comparison> comparisons);
    void expect(std::size_t count) const;

    StatementHandle handle_;
    std::size_t parameter_count_;
    std::vector<Comparison> comparisons_;
};

}  // namespace sluice::store
