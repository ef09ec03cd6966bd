#include "tests/unit/command/execute/executor_fixture.hpp"

#include <cstdlib>
#include <utility>

#include <sys/wait.h>
#include <unistd.h>

#include "common/crypto/digest.hpp"

namespace sluice::command {

TestProcess::TestProcess(const CommandSet& set, config::MysqlSettings mysql,
                         const ExecutionSettings& settings)
    : mysql_{std::move(mysql)},
      log_{{.program = "test", .level = LogLevel::error, .descriptor = 2}},
      executor_{make_executor(set, settings, {mysql_, log_, metrics_, readiness_, clock_})} {}

int run_again(const std::string& filter, const std::string& database, const std::string& failpoints) {
    const pid_t child = fork();
    if (child == 0) {
        setenv("SLUICE_FAILPOINTS", failpoints.c_str(), 1);
        setenv(database_of_child, database.c_str(), 1);
        (void)execl("/proc/self/exe", "child", "--gtest_also_run_disabled_tests",
                    ("--gtest_filter=" + filter).c_str(), nullptr);
        _exit(1);
    }
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    return status;
}

void ExecutorTest::SetUp() {
    ServerTest::SetUp();
    connection = open_migrated();
    run(*connection,
        "CREATE TABLE merchant_balance (merchant VARCHAR(64) COLLATE utf8mb4_bin PRIMARY KEY, balance "
        "BIGINT NOT NULL) ENGINE = InnoDB");
    run(*connection,
        "CREATE TABLE click_charge (merchant VARCHAR(64) COLLATE utf8mb4_bin, click VARCHAR(64) COLLATE "
        "utf8mb4_bin, caller VARCHAR(64), session BIGINT NOT NULL DEFAULT (CONNECTION_ID()), PRIMARY KEY "
        "(merchant, click, caller)) ENGINE = InnoDB");
    run(*connection, "INSERT INTO merchant_balance VALUES ('m1', 100)");
    read();
}

void ExecutorTest::read() {
    auto [commands, report] = read_commands(charge_click);
    ASSERT_EQ(report, "");
    set = std::move(commands);
}

std::unique_ptr<TestProcess> ExecutorTest::start(const ExecutionSettings& settings) const {
    return std::make_unique<TestProcess>(set, this->settings(), settings);
}

Request ExecutorTest::charge(const std::string& click, int price, const std::string& caller,
                             Milliseconds patience) const {
    const SystemClock clock;
    const std::string body =
        R"({"merchant":"m1","click_id":")" + click + R"(","price":)" + std::to_string(price) + "}";
    return {.key = {.command = "charge-click", .caller = caller, .key = click},
            .fingerprint = crypto::sha256(body),
            .body = body,
            .received_at = clock.steady(),
            .answer_by = clock.steady() + patience};
}

std::future<Answer> ExecutorTest::ask(TestProcess& process, Request request) {
    auto told = std::make_shared<std::promise<Answer>>();
    auto future = told->get_future();
    process.executor().execute(std::move(request), [told](Answer said) { told->set_value(std::move(said)); });
    return future;
}

Answer ExecutorTest::answer(TestProcess& process, Request request) {
    return ask(process, std::move(request)).get();
}

Standing ExecutorTest::look_up(TestProcess& process, const Key& key) {
    return looked_up(process, key).value();
}

std::expected<Standing, std::string> ExecutorTest::looked_up(TestProcess& process, const Key& key) {
    const SystemClock clock;
    auto told = std::make_shared<std::promise<std::expected<Standing, std::string>>>();
    auto future = told->get_future();
    process.executor().look_up(key, clock.steady() + std::chrono::seconds{20},
                               [told](auto found) { told->set_value(std::move(found)); });
    return future.get();
}

}  // namespace sluice::command
