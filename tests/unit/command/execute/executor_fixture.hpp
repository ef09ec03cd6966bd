#pragma once

#include <expected>
#include <future>
#include <memory>
#include <string>

#include "command/execute/mysql_executor.hpp"
#include "common/telemetry/log.hpp"
#include "tests/unit/command/configuration.hpp"
#include "tests/unit/consumer/store/server/fixture.hpp"

namespace sluice::command {

/// What an executor needs of its process, and the executor.
class TestProcess {
public:
    TestProcess(const CommandSet& set, config::MysqlSettings mysql, const ExecutionSettings& settings);

    [[nodiscard]] Executor& executor() { return *executor_; }
    [[nodiscard]] std::string exposition() const { return metrics_.exposition(); }
    /// Once the server has taken the commands' statements.
    [[nodiscard]] bool is_ready() const { return readiness_.ready(); }
    /// Returns when all that was begun has ended.
    void end() { executor_.reset(); }

private:
    const config::MysqlSettings mysql_;
    const SystemClock clock_;
    Metrics metrics_;
    Readiness readiness_;
    Log log_;
    std::unique_ptr<Executor> executor_;
};

/// Names the database of the test that starts the program again (executor_child.cpp).
inline constexpr const char* database_of_child = "SLUICE_TEST_CHILD";

/// Starts this program again, in `database` and with these failpoints, for the tests that `filter` names. How
/// it ended, as waitpid has it.
[[nodiscard]] int run_again(const std::string& filter, const std::string& database,
                            const std::string& failpoints);

/// Merchants with balances, and the command that charges them for clicks
/// (tests/unit/command/configuration.hpp).
class ExecutorTest : public store::ServerTest {
protected:
    void SetUp() override;
    /// Reads the command, as SetUp does.
    void read();

    [[nodiscard]] std::unique_ptr<TestProcess> start(const ExecutionSettings& settings = {}) const;
    [[nodiscard]] Request charge(const std::string& click, int price, const std::string& caller = "ads",
                                 Milliseconds patience = std::chrono::seconds{20}) const;
    /// What is told, in the order of the calls.
    [[nodiscard]] static std::future<Answer> ask(TestProcess& process, Request request);
    [[nodiscard]] static Answer answer(TestProcess& process, Request request);
    [[nodiscard]] static Standing look_up(TestProcess& process, const Key& key);
    [[nodiscard]] static std::expected<Standing, std::string> looked_up(TestProcess& process, const Key& key);

    [[nodiscard]] std::int64_t balance() {
        return number(*connection, "SELECT balance FROM merchant_balance WHERE merchant = 'm1'");
    }
    [[nodiscard]] std::int64_t charges() { return number(*connection, "SELECT COUNT(*) FROM click_charge"); }
    [[nodiscard]] std::int64_t keys() { return number(*connection, "SELECT COUNT(*) FROM command_key"); }

    CommandSet set;
    std::unique_ptr<store::Connection> connection;  ///< of the test
};

}  // namespace sluice::command
