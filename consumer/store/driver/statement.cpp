#include "consumer/store/driver/statement.hpp"

#include <stdexcept>
#include <utility>

#include "consumer/store/driver/column.hpp"

namespace sluice::store {

DriverError error_of(MYSQL& session) {
    return {mysql_errno(&session), mysql_sqlstate(&session), mysql_error(&session)};
}

DriverError error_of(MYSQL_STMT& statement) {
    return {mysql_stmt_errno(&statement), mysql_stmt_sqlstate(&statement), mysql_stmt_error(&statement)};
}

std::expected<Statement, DriverError> Statement::prepare(MYSQL& session, std::string_view text) {
    StatementHandle handle{mysql_stmt_init(&session)};
    if (!handle) return std::unexpected(error_of(session));
    const my_bool lengths_wanted = 1;  // fetch() sizes its buffers by the longest value of the result
    mysql_stmt_attr_set(handle.get(), STMT_ATTR_UPDATE_MAX_LENGTH, &lengths_wanted);
    if (mysql_stmt_prepare(handle.get(), text.data(), text.size()) != 0) {
        return std::unexpected(error_of(*handle));
    }
    return Statement{std::move(handle)};
}

std::size_t Statement::parameter_count() const noexcept {
    return mysql_stmt_param_count(handle_.get());
}

std::expected<void, DriverError> Statement::send(std::span<const Datum> parameters, Bindings& bindings) {
    if (parameters.size() != parameter_count()) {
        throw std::logic_error("a statement got " + std::to_string(parameters.size()) +
                               " parameters and wants " + std::to_string(parameter_count()));
    }
    if (!parameters.empty() && mysql_stmt_bind_param(handle_.get(), bindings.of(parameters)) != 0) {
        return std::unexpected(error_of(*handle_));
    }
    if (mysql_stmt_execute(handle_.get()) != 0) return std::unexpected(error_of(*handle_));
    return {};
}

std::expected<std::int64_t, DriverError> Statement::execute(std::span<const Datum> parameters,
                                                            Bindings& bindings) {
    if (const auto sent = send(parameters, bindings); !sent) return std::unexpected(sent.error());
    // MariaDB's RETURNING gives rows: they must be off the wire before the next statement.
    if (mysql_stmt_field_count(handle_.get()) > 0 && mysql_stmt_store_result(handle_.get()) != 0) {
        return std::unexpected(error_of(*handle_));
    }
    const auto matched = static_cast<std::int64_t>(mysql_stmt_affected_rows(handle_.get()));
    mysql_stmt_free_result(handle_.get());
    return matched;
}

std::expected<std::vector<Row>, DriverError> Statement::query(std::span<const Datum> parameters,
                                                              Bindings& bindings) {
    if (const auto sent = send(parameters, bindings); !sent) return std::unexpected(sent.error());
    if (mysql_stmt_store_result(handle_.get()) != 0) return std::unexpected(error_of(*handle_));
    auto rows = fetch();
    mysql_stmt_free_result(handle_.get());
    return rows;
}

std::expected<std::vector<Row>, DriverError> Statement::fetch() {
    const ResultHandle meta{mysql_stmt_result_metadata(handle_.get())};
    if (!meta) throw std::logic_error("query() was given a statement without a result");
    const auto count = mysql_num_fields(meta.get());
    std::vector<Column> columns(count);
    std::vector<MYSQL_BIND> binds(count);
    for (unsigned int i = 0; i < count; ++i) {
        columns[i].bind(binds[i], *mysql_fetch_field_direct(meta.get(), i));
    }
    if (mysql_stmt_bind_result(handle_.get(), binds.data()) != 0) return std::unexpected(error_of(*handle_));

    std::vector<Row> rows;
    for (;;) {
        const int fetched = mysql_stmt_fetch(handle_.get());
        if (fetched == MYSQL_NO_DATA) return rows;
        if (fetched == MYSQL_DATA_TRUNCATED) {
            throw std::logic_error("a column of a result is wider than its buffer");
        }
        if (fetched != 0) return std::unexpected(error_of(*handle_));
        auto& row = rows.emplace_back();
        row.reserve(count);
        for (const auto& column : columns) row.push_back(column.value());
    }
}

}  // namespace sluice::store
