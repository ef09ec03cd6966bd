#pragma once

#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "consumer/store/driver/open_transaction.hpp"
#include "tests/unit/command/execute/executor_fixture.hpp"
#include "tests/unit/command/execute/together_fixture.hpp"

namespace sluice::command {

/// Commands that wait while their worker is held up, so that it takes them together.
class TogetherWorkerTest : public TogetherTest {
protected:
    void SetUp() override {
        TogetherTest::SetUp();
        begin();
    }
    void begin() {
        watcher = open();
        run(*watcher, "SET SESSION TRANSACTION ISOLATION LEVEL READ UNCOMMITTED");
        process.emplace(set, settings(), ExecutionSettings{.workers = 1});
    }
    std::future<Answer> ask(Request request) {
        auto told = std::make_shared<std::promise<Answer>>();
        auto future = told->get_future();
        process->executor().execute(std::move(request),
                                    [told](Answer said) { told->set_value(std::move(said)); });
        return future;
    }
    /// What `requests` were told, which all waited at once.
    std::vector<Answer> told_together(const std::vector<Request>& requests) {
        auto held = store::OpenTransaction::begin(*connection);
        run(*connection, "UPDATE account SET word = 'held' WHERE name = 'c'");
        auto first = ask(request("deposit", "first", "'account':'c','amount':1"));
        // It waits for the row that is held, unless it has ended.
        while (number(*watcher, "SELECT COUNT(*) FROM command_key WHERE caller_key = 'first'") == 0)
            if (first.wait_for(std::chrono::seconds{0}) == std::future_status::ready) break;
        std::vector<std::future<Answer>> asked;
        for (const Request& one : requests) asked.push_back(ask(one));
        held->roll_back();
        EXPECT_EQ(first.get().kind, Answer::Kind::executed);
        std::vector<Answer> answers;
        for (auto& one : asked) answers.push_back(one.get());
        return answers;
    }
    std::vector<Request> deposits() {
        std::vector<Request> all;
        for (const char number : {'1', '2', '3', '4', '5'})
            all.push_back(request("deposit", std::string{"k"} + number, "'account':'a','amount':1"));
        return all;
    }

    std::unique_ptr<store::Connection> watcher;
    std::optional<TestProcess> process;
};

}  // namespace sluice::command
