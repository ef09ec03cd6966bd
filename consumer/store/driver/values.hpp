#pragma once

#include <cppconn/resultset_metadata.h>

#include <span>

#include "consumer/store/driver/connection.hpp"
#include "consumer/store/driver/connector.hpp"

/// Inside of Statement, what goes to the server (bindings.cpp) and what comes from it (column.cpp): nothing
/// else includes this.
namespace sluice::store {

/// The parameters of one execution, which the connector copies; large copies go with this object. Its
/// constructor throws what the connector throws.
class Bound {
public:
    Bound(sql::PreparedStatement& statement, std::span<const Datum> parameters);
    Bound(const Bound&) = delete;
    Bound& operator=(const Bound&) = delete;
    ~Bound();

private:
    sql::PreparedStatement& statement_;
    std::span<const Datum> parameters_;
};

/// One column of a result. Throws what the connector throws.
class Column {
public:
    /// `number`: from 1. Throws 2036 where the connector has no room for its values: it has none for JSON and
    /// geometries, and reads past its buffer where a decimal is longer than 64 bytes.
    Column(sql::ResultSetMetaData& result, unsigned int number);

    /// Of the row that `result` is at.
    [[nodiscard]] OwnedDatum value(const sql::ResultSet& result) const;
    [[nodiscard]] Comparison comparison() const noexcept { return comparison_; }

private:
    enum class Kind { integer, unsigned_integer, real, time, bytes };
    [[nodiscard]] static Kind kind_of(sql::ResultSetMetaData& result, unsigned int number);
    [[nodiscard]] static Comparison comparison_of(sql::ResultSetMetaData& result, unsigned int number);

    unsigned int number_;
    Kind kind_;
    Comparison comparison_;
};

}  // namespace sluice::store
