#include "common/telemetry/log.hpp"

#include <algorithm>
#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace sluice {
namespace {

using nlohmann::json;

class Pipe {
public:
    Pipe() {
        if (::pipe2(ends_, O_CLOEXEC) != 0) throw std::runtime_error{"pipe"};
    }
    ~Pipe() {
        close_reader();
        close_writer();
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;

    [[nodiscard]] int writer() const { return ends_[1]; }
    void close_reader() { close(ends_[0]); }
    void close_writer() { close(ends_[1]); }
    /// For the thread that a Log leaves behind: it ends when the reader's end goes.
    void leave_writer_open() { ends_[1] = -1; }

    /// Leaves no room, so that the next write blocks.
    void fill() const {
        ::fcntl(ends_[1], F_SETFL, O_NONBLOCK);
        const std::string blanks(4096, '\n');
        while (::write(ends_[1], blanks.data(), blanks.size()) > 0) {
        }
        ::fcntl(ends_[1], F_SETFL, 0);
    }

    [[nodiscard]] std::vector<json> lines_to_the_end() const {
        std::string text;
        char bytes[65536];
        for (ssize_t n = 0; (n = ::read(ends_[0], bytes, sizeof bytes)) > 0;)
            text.append(bytes, static_cast<std::size_t>(n));
        std::vector<json> lines;
        for (std::size_t at = 0, end = 0; (end = text.find('\n', at)) != std::string::npos; at = end + 1) {
            if (end > at) lines.push_back(json::parse(text.substr(at, end - at)));
        }
        return lines;
    }

private:
    static void close(int& end) {
        if (end >= 0) ::close(end);
        end = -1;
    }
    int ends_[2] = {-1, -1};
};

Log::Settings to(const Pipe& pipe, std::size_t capacity = 8192) {
    return {.program = "test", .level = LogLevel::info, .descriptor = pipe.writer(), .capacity = capacity};
}

TEST(Log, WritesWhatIsQueuedBeforeItGoes) {
    Pipe pipe;
    {
        Log log{to(pipe)};
        log.info("started", {{"port", std::int64_t{80}}});
        log.warn("slow", {});
        log.error("broken", {});
        log.write_routine("accepted", {{"event", "evt_1"}});
    }
    pipe.close_writer();
    const auto lines = pipe.lines_to_the_end();
    ASSERT_EQ(lines.size(), 4U);
    EXPECT_EQ(lines[0]["decision"], "started");
    EXPECT_EQ(lines[0]["port"], 80);
    EXPECT_EQ(lines[0]["program"], "test");
    EXPECT_EQ(lines[1]["level"], "warn");
    EXPECT_EQ(lines[2]["level"], "error");
    EXPECT_EQ(lines[3]["event"], "evt_1");
    EXPECT_EQ(lines[3]["level"], "info");
}

TEST(Log, WritesAShareOfTheEvents) {
    Pipe pipe;
    {
        Log::Settings settings = to(pipe);
        settings.routine = 0.5;
        Log log{settings};
        log.write_event("accepted", "aaaaaaaaaaaaaaaaaa7fffffffffffff", {});
        log.write_event("duplicate", "aaaaaaaaaaaaaaaaaa80000000000000", {});
        log.write_event("done", "", {});
        log.write_routine("gate_refused", {});
    }
    pipe.close_writer();
    const auto lines = pipe.lines_to_the_end();
    ASSERT_EQ(lines.size(), 3U);
    EXPECT_EQ(lines[0]["decision"], "duplicate") << "by the last 56 bits of its trace";
    EXPECT_EQ(lines[1]["decision"], "done") << "without a trace";
    EXPECT_EQ(lines[2]["decision"], "gate_refused");
}

TEST(Log, WritesAllEventsUnlessAShareIsSet) {
    Pipe pipe;
    {
        Log log{to(pipe)};
        log.write_event("accepted", "aaaaaaaaaaaaaaaaaa00000000000000", {});
        log.write_event("accepted", "no id at all", {});
    }
    pipe.close_writer();
    EXPECT_EQ(pipe.lines_to_the_end().size(), 2U);
}

TEST(Log, LeavesOutWhatIsBelowItsLevel) {
    Pipe pipe;
    {
        Log::Settings settings = to(pipe);
        settings.level = LogLevel::warn;
        Log log{settings};
        log.info("a", {});
        log.write_routine("b", {});
        log.warn("c", {});
        EXPECT_EQ(log.dropped(), 0U);
    }
    pipe.close_writer();
    const auto lines = pipe.lines_to_the_end();
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_EQ(lines[0]["decision"], "c");
}

TEST(Log, WhatAnybodyCanCauseIsToldSoOftenOnly) {
    Pipe pipe;
    constexpr std::uint64_t most = Log::most_capped_in_a_second;
    std::vector<json> lines;
    std::jthread reader{[&] { lines = pipe.lines_to_the_end(); }};
    std::uint64_t dropped = 0;
    {
        Log log{to(pipe, 20 * most)};
        for (std::uint64_t i = 0; i < 5 * most; ++i) log.write_capped("gate_refused", {});
        for (std::uint64_t i = 0; i < 2 * most; ++i) log.write_routine("accepted", {});
        dropped = log.dropped();
    }
    pipe.close_writer();
    reader.join();
    const auto told = [&](std::string_view what) {
        return static_cast<std::uint64_t>(
            std::ranges::count_if(lines, [&](const json& line) { return line["decision"] == what; }));
    };
    EXPECT_EQ(told("gate_refused") + dropped, 5 * most);
    EXPECT_GE(told("gate_refused"), most);
    EXPECT_LE(told("gate_refused"), 3 * most) << "a second may have turned meanwhile, or two";
    EXPECT_EQ(told("accepted"), 2 * most);
}

// A caller that blocks here blocks for ever: the test's time limit catches it.
TEST(Log, ABlockedReaderNeverBlocksACaller) {
    Pipe pipe;
    pipe.fill();
    Log log{to(pipe, 64)};
    for (int i = 0; i < 10'000; ++i) log.write_routine("accepted", {{"event", "evt_1"}});
    for (int i = 0; i < 10'000; ++i) log.error("broken", {});
    EXPECT_EQ(log.dropped(), 20'000U - 64U);
    pipe.leave_writer_open();
}

TEST(Log, SaysHowManyLinesItDropped) {
    Pipe pipe;
    pipe.fill();
    std::vector<json> lines;
    std::jthread reader;
    std::uint64_t dropped = 0;
    {
        Log log{to(pipe, 64)};
        for (int i = 0; i < 1000; ++i) log.write_routine("accepted", {});
        for (int i = 0; i < 10; ++i) log.error("broken", {});
        dropped = log.dropped();
        reader = std::jthread{[&] { lines = pipe.lines_to_the_end(); }};
    }
    pipe.close_writer();
    reader.join();
    EXPECT_EQ(dropped, 1000U - 33U);
    std::uint64_t said = 0;
    std::size_t broken = 0;
    for (const json& line : lines) {
        if (line["decision"] == "log_lines_dropped") said += line["lines"].get<std::uint64_t>();
        if (line["decision"] == "broken") ++broken;
    }
    EXPECT_EQ(said, dropped);
    EXPECT_EQ(broken, 10U);
}

// Each of these hangs, or dies of SIGPIPE, when the promise is broken.
TEST(Log, EndsThoughNobodyReads) {
    Pipe pipe;
    pipe.fill();
    Log log{to(pipe)};
    log.info("never seen", {});
    pipe.leave_writer_open();
}

TEST(Log, WaitsForRoomOnANonBlockingDescriptor) {
    Pipe pipe;
    pipe.fill();
    ASSERT_EQ(::fcntl(pipe.writer(), F_SETFL, O_NONBLOCK), 0);
    std::vector<json> lines;
    std::jthread reader;
    {
        Log log{to(pipe)};
        log.info("seen", {});
        // Time to run into the full pipe; what it must not do is drop the line.
        for (int i = 0; i < 10'000 && log.dropped() == 0; ++i) std::this_thread::yield();
        reader = std::jthread{[&] { lines = pipe.lines_to_the_end(); }};
    }
    pipe.close_writer();
    reader.join();
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_EQ(lines[0]["decision"], "seen");
}

TEST(Log, SurvivesAReaderThatWentAway) {
    const auto before = std::signal(SIGPIPE, SIG_DFL);
    Pipe pipe;
    pipe.close_reader();
    Log log{to(pipe)};
    log.info("lost", {});
    while (log.dropped() == 0) std::this_thread::yield();
    EXPECT_EQ(log.dropped(), 1U);
    std::signal(SIGPIPE, before);
}

TEST(Log, TakesLinesFromManyThreads) {
    Pipe pipe;
    std::vector<json> lines;
    std::jthread reader{[&] { lines = pipe.lines_to_the_end(); }};
    {
        Log log{to(pipe)};
        std::vector<std::jthread> threads;
        for (int i = 0; i < 4; ++i) {
            threads.emplace_back([&log, i] {
                for (std::int64_t n = 0; n < 500; ++n) log.info("n", {{"thread", std::int64_t{i}}, {"n", n}});
            });
        }
    }
    pipe.close_writer();
    reader.join();
    EXPECT_EQ(lines.size(), 2000U);
}

}  // namespace
}  // namespace sluice
