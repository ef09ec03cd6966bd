#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "common/config/settings/connections.hpp"
#include "consumer/store/driver/connection.hpp"
#include "consumer/store/driver/error.hpp"

namespace sluice::store {

/// A database of its own on the server that SLUICE_TEST_MYSQL names (host:port:user:password:database, all
/// rights), dropped at the end. A test fails, it does not skip, when the variable is missing.
class ServerTest : public testing::Test {
protected:
    void SetUp() override;
    void TearDown() override;

    [[nodiscard]] config::MysqlSettings settings() const;
    /// A session in the test's database.
    [[nodiscard]] std::unique_ptr<Connection> open(const Patience& patience = {}) const;
    /// The same with all migrations applied.
    [[nodiscard]] std::unique_ptr<Connection> open_migrated() const;
    /// The first column of the first row.
    [[nodiscard]] static std::int64_t number(Connection& connection, const std::string& statement);
    [[nodiscard]] static std::string text(Connection& connection, const std::string& statement);
    static void run(Connection& connection, const std::string& statement);

    std::string database;

private:
    std::unique_ptr<Connection> admin_;
};

/// The server's code; 0 where nothing failed.
[[nodiscard]] int code_of(const auto& result) {
    return result ? 0 : result.error().value();
}

/// unknown where nothing failed: no test expects that class.
[[nodiscard]] ErrorClass class_of_failure(const auto& result) {
    return result ? ErrorClass::unknown : class_of(result.error());
}

}  // namespace sluice::store
