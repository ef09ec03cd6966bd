#include "tests/unit/consumer/store/server/fixture.hpp"

#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <ranges>
#include <vector>

#include "consumer/store/schema/migration.hpp"

namespace sluice::store {
namespace {

config::MysqlSettings named_server() {
    const char* value = std::getenv("SLUICE_TEST_MYSQL");
    if (value == nullptr)
        throw std::runtime_error("SLUICE_TEST_MYSQL is not set: host:port:user:password:database");
    std::vector<std::string> parts;
    for (const auto part : std::views::split(std::string_view{value}, ':')) {
        parts.emplace_back(part.begin(), part.end());
    }
    if (parts.size() != 5)
        throw std::runtime_error("SLUICE_TEST_MYSQL is not host:port:user:password:database");
    config::MysqlSettings settings;
    settings.host = parts[0];
    std::from_chars(parts[1].data(), parts[1].data() + parts[1].size(), settings.port);
    settings.user = config::Credential{parts[2]};
    settings.password = config::Credential{parts[3]};
    settings.database = parts[4];
    return settings;
}

std::unique_ptr<Connection> open_or_throw(const config::MysqlSettings& settings, const Patience& patience) {
    ServerError error;
    auto connection = Connection::open(settings, &error, patience);
    if (!connection) throw std::runtime_error("connect: " + error.message);
    return std::move(*connection);
}

}  // namespace

void ServerTest::SetUp() {
    static int count = 0;
    database = "sluice_test_" + std::to_string(getpid()) + "_" + std::to_string(++count);
    admin_ = open_or_throw(named_server(), {.lock_wait = std::chrono::seconds{10}});
    run(*admin_, "CREATE DATABASE " + database);
}

void ServerTest::TearDown() {
    if (!admin_) return;
    if (!admin_->ping()) admin_ = open_or_throw(named_server(), {});  // idle for as long as a long test
    run(*admin_, "DROP DATABASE " + database);
}

config::MysqlSettings ServerTest::settings() const {
    auto settings = named_server();
    settings.database = database;
    return settings;
}

std::unique_ptr<Connection> ServerTest::open(const Patience& patience) const {
    return open_or_throw(settings(), patience);
}

std::unique_ptr<Connection> ServerTest::open_migrated() const {
    auto connection = open();
    const auto outcome = migrate(*connection);
    if (!outcome || !outcome->problems.empty())
        throw std::runtime_error("migrate: " + connection->last_error().message);
    return connection;
}

std::int64_t ServerTest::number(Connection& connection, const std::string& statement) {
    const auto rows = connection.query(statement, {});
    if (!rows) throw std::runtime_error(statement + ": " + connection.last_error().message);
    return std::get<std::int64_t>(rows->at(0).at(0));
}

std::string ServerTest::text(Connection& connection, const std::string& statement) {
    const auto rows = connection.query(statement, {});
    if (!rows) throw std::runtime_error(statement + ": " + connection.last_error().message);
    return std::get<std::string>(rows->at(0).at(0));
}

void ServerTest::run(Connection& connection, const std::string& statement) {
    const auto done = connection.run(statement);
    if (!done) throw std::runtime_error(statement + ": " + connection.last_error().message);
}

}  // namespace sluice::store
