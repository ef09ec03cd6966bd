#include "command/program/program.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <format>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>

#include "command/program/command_line.hpp"
#include "tests/unit/command/http/running_commands.hpp"

namespace sluice::command {
namespace {

ServeSettings on_any_port() {
    ServeSettings settings;
    settings.listen.address = {"127.0.0.1", 0};
    settings.listen.drain_delay = Milliseconds{0};
    settings.operations = {"operations.command", {"127.0.0.1", 0}};
    settings.callers = callers_of(one_caller);
    return settings;
}

/// Says that it has gone.
class LeavingExecutor final : public ScriptedExecutor {
public:
    explicit LeavingExecutor(bool& gone) : gone_{gone} {}
    ~LeavingExecutor() override { gone_ = true; }

private:
    bool& gone_;
};

/// One end of the program's log, to read its ports from.
class LogPipe {
public:
    LogPipe() { EXPECT_EQ(::pipe2(ends_.data(), O_CLOEXEC), 0); }
    ~LogPipe() {
        for (const int end : ends_) ::close(end);
    }
    [[nodiscard]] int in() const { return ends_[1]; }
    /// The number behind `"name":` in a line that is still to come.
    [[nodiscard]] std::uint16_t port(const std::string& name) {
        const std::string label = "\"" + name + "\":";
        while (!text_.contains(label) || !text_.substr(text_.find(label)).contains('\n')) {
            std::array<char, 512> some{};
            const auto got = ::read(ends_[0], some.data(), some.size());
            if (got <= 0) return 0;
            text_.append(some.data(), static_cast<std::size_t>(got));
        }
        return static_cast<std::uint16_t>(std::atoi(text_.c_str() + text_.find(label) + label.size()));
    }

private:
    std::array<int, 2> ends_{};
    std::string text_;
};

std::string get(std::uint16_t port, const std::string& path) {
    ingress::Client client{port};
    client.send("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n");
    return client.rest().value_or("");
}

TEST(Program, ServesUntilItIsToldToStop) {
    const ServeSettings settings = on_any_port();
    const TwoCommands commands;
    StopSignal signal;
    LogPipe pipe;
    bool executor_has_gone = false;
    {
        Log log{{.program = "unit", .descriptor = pipe.in()}};
        const auto make = [&](const Surroundings& around) {
            around.readiness.set_ready("mysql");
            return std::make_unique<LeavingExecutor>(executor_has_gone);
        };
        Program program{settings, commands, make, log, signal};
        int status = -1;
        std::thread serving{[&] { status = program.run(); }};
        const std::uint16_t port = pipe.port("port");
        const std::uint16_t operations = pipe.port("operations");
        EXPECT_TRUE(get(operations, "/readyz").starts_with("HTTP/1.1 200 "));
        EXPECT_TRUE(get(operations, "/metrics").contains("sluice_command_replies_total{status=\"2xx\"} 0"));
        const ingress::Client idle{port};
        ingress::Client refused{port};
        refused.send("GET /v1/commands/charge/k1 HTTP/1.1\r\nHost: x\r\n\r\n");
        EXPECT_TRUE(refused.answer().starts_with("HTTP/1.1 401 "));
        ::kill(::getpid(), SIGTERM);
        serving.join();
        EXPECT_EQ(status, 0);
        EXPECT_THROW((void)ingress::Client{port}, std::runtime_error);
    }
    EXPECT_TRUE(executor_has_gone);
}

TEST(Program, PortInUseIsNamed) {
    ServeSettings settings = on_any_port();
    settings.listen.address = {"203.0.113.1", 1};  // of nobody here
    const TwoCommands commands;
    StopSignal signal;
    Log log{{.program = "unit", .descriptor = 2}};
    const auto make = [](const Surroundings&) { return std::make_unique<ScriptedExecutor>(); };
    EXPECT_THROW((Program{settings, commands, make, log, signal}), std::runtime_error);
}

int run_with(std::vector<std::string> words, const Assemble& assemble) {
    std::vector<char*> raw;
    for (std::string& word : words) raw.push_back(word.data());
    return run_command_line(static_cast<int>(raw.size()), raw.data(), assemble);
}

TEST(CommandLine, ChecksAndEnds) {
    const auto fine = [](const std::string&, Role, config::Problems&) {
        return Assembly{
            .serve = on_any_port(), .log = {}, .commands = std::make_unique<TwoCommands>(), .make = {}};
    };
    const auto wrong = [](const std::string&, Role, config::Problems&) -> Assembly {
        throw config::Refused{"wrong"};
    };
    EXPECT_EQ(run_with({"sluice-command", "--config", "x.yaml", "--check"}, fine), 0);
    EXPECT_EQ(run_with({"sluice-command", "--config", "x.yaml", "--check"}, wrong), 2);
    EXPECT_EQ(run_with({"sluice-command", "--chek"}, fine), 2);
}

}  // namespace
}  // namespace sluice::command
