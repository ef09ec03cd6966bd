#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "command/execute/together.hpp"
#include "common/telemetry/log.hpp"
#include "consumer/store/driver/statement_watch.hpp"
#include "tests/unit/command/configuration.hpp"
#include "tests/unit/consumer/store/server/fixture.hpp"

namespace sluice::command {

/// Commands that may share transactions, over accounts with little money.
class TogetherTest : public store::ServerTest {
protected:
    using All = Together::All;

    void SetUp() override;
    /// Reads the commands and opens the session, as SetUp does.
    void read();
    /// Accounts a, b and c with 10 each, and nothing else.
    void begin_anew();

    /// Of the command `name`; `body` without braces, in single quotes.
    [[nodiscard]] Request request(const std::string& name, const std::string& key, std::string body) const;
    /// In one transaction, over the session of the test; those that have to go alone are nullopt.
    [[nodiscard]] All together(const std::vector<Request>& requests,
                               Milliseconds time = std::chrono::seconds{5});
    [[nodiscard]] Attempted alone(const Request& request);
    /// As a worker does: together, then alone what has to.
    [[nodiscard]] std::vector<Answer> answers(const std::vector<Request>& requests);

    /// All that commands change, but for times.
    [[nodiscard]] std::string tables();
    [[nodiscard]] std::int64_t balance(const std::string& account);

    const SystemClock clock;
    CommandSet set;
    Log log{{.program = "test", .level = LogLevel::error, .descriptor = 2}};
    config::MysqlSettings mysql;
    std::optional<store::StatementWatch> watch;
    std::unique_ptr<store::Connection> connection;
    std::optional<Together> shared;
};

}  // namespace sluice::command
