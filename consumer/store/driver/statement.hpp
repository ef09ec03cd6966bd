#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "consumer/store/driver/bindings.hpp"
#include "consumer/store/driver/connection.hpp"
#include "consumer/store/driver/handle.hpp"

/// Inside of Connection: nothing else includes this.
namespace sluice::store {

/// What the driver says, before it is classified.
struct DriverError {
    unsigned int code = 0;
    std::string sqlstate;
    std::string message;
};

[[nodiscard]] DriverError error_of(MYSQL& session);
[[nodiscard]] DriverError error_of(MYSQL_STMT& statement);

/// One prepared statement.
class Statement {
public:
    static std::expected<Statement, DriverError> prepare(MYSQL& session, std::string_view text);

    [[nodiscard]] std::size_t parameter_count() const noexcept;
    /// Rows matched. `parameters` are as many as parameter_count; `bindings` are any, for their memory.
    [[nodiscard]] std::expected<std::int64_t, DriverError> execute(std::span<const Datum> parameters,
                                                                   Bindings& bindings);
    /// Fetches everything, so that the session is free for the next statement.
    [[nodiscard]] std::expected<std::vector<Row>, DriverError> query(std::span<const Datum> parameters,
                                                                     Bindings& bindings);

private:
    explicit Statement(StatementHandle handle) : handle_{std::move(handle)} {}
    [[nodiscard]] std::expected<void, DriverError> send(std::span<const Datum> parameters,
                                                        Bindings& bindings);
    [[nodiscard]] std::expected<std::vector<Row>, DriverError> fetch();

    StatementHandle handle_;
};

}  // namespace sluice::store
