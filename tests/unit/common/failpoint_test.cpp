#include "common/failpoint.hpp"

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace sluice {
namespace {

// The environment is read once in a process, so each plan gets one of its own.
template <class Body>
int status_of_child(const std::string& plan, const std::string& log, Body body) {
    const pid_t child = ::fork();
    if (child == 0) {
        ::setenv("SLUICE_FAILPOINTS", plan.c_str(), 1);
        ::setenv("SLUICE_FAILPOINTS_LOG", log.c_str(), 1);
        ::_exit(body());
    }
    int status = 0;
    ::waitpid(child, &status, WUNTRACED);
    if (WIFSTOPPED(status)) {
        ::kill(child, SIGCONT);
        int end = 0;
        ::waitpid(child, &end, 0);
        EXPECT_TRUE(WIFEXITED(end));
    }
    return status;
}

template <class Body>
int exit_of_child(const std::string& plan, Body body) {
    const int status = status_of_child(plan, "", body);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(Failpoint, DoesNothingWithoutAPlan) {
    EXPECT_EQ(exit_of_child("", [] { return failpoint("x") ? 1 : 0; }), 0);
}

TEST(Failpoint, CountsHitsPerName) {
    EXPECT_EQ(exit_of_child("x=error@2;y=error@1",
                            [] {
                                const bool x1 = failpoint("x");
                                const bool y1 = failpoint("y");
                                const bool x2 = failpoint("x");
                                const bool x3 = failpoint("x");
                                const bool z = failpoint("z");
                                return (x1 ? 1 : 0) + (y1 ? 2 : 0) + (x2 ? 4 : 0) + (x3 ? 8 : 0) +
                                       (z ? 16 : 0);
                            }),
              2 + 4);
}

TEST(Failpoint, KillsWithoutAWord) {
    const int status = status_of_child("x=kill", "", [] { return failpoint("x") ? 1 : 0; });
    ASSERT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(WTERMSIG(status), SIGKILL);
}

TEST(Failpoint, StopsUntilContinued) {
    const int status = status_of_child("x=stop", "", [] { return failpoint("x") ? 1 : 0; });
    ASSERT_TRUE(WIFSTOPPED(status));
    EXPECT_EQ(WSTOPSIG(status), SIGSTOP);
}

TEST(Failpoint, DelaysAndDoesNotFail) {
    EXPECT_EQ(exit_of_child("x=delay:5",
                            [] {
                                const auto before = std::chrono::steady_clock::now();
                                if (failpoint("x")) return 1;
                                return std::chrono::steady_clock::now() - before >=
                                               std::chrono::milliseconds{5}
                                           ? 0
                                           : 2;
                            }),
              0);
}

TEST(Failpoint, LosesNoHitWhateverTheThreads) {
    EXPECT_EQ(exit_of_child("x=error@100000",
                            [] {
                                std::atomic<int> fired = 0;
                                std::vector<std::jthread> threads;
                                for (int i = 0; i < 4; ++i) {
                                    threads.emplace_back([&fired] {
                                        for (int hit = 0; hit < 25'000; ++hit)
                                            fired += failpoint("x") ? 1 : 0;
                                    });
                                }
                                threads.clear();
                                return fired.load();
                            }),
              1);
}

TEST(Failpoint, AbortsOnAMalformedPlan) {
    const int status = status_of_child("x=explode", "", [] { return failpoint("y") ? 1 : 0; });
    ASSERT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(WTERMSIG(status), SIGABRT);
}

TEST(Failpoint, LogsTheFirstHitOfEachNameEvenWhenItKills) {
    const std::string log = ::testing::TempDir() + "failpoints-" + std::to_string(::getpid());
    std::ofstream{log} << "before\n";
    (void)status_of_child("b=kill", log, [] {
        (void)failpoint("a");
        (void)failpoint("a");
        return failpoint("b") ? 1 : 0;
    });
    std::ifstream file{log};
    const std::string text{std::istreambuf_iterator<char>{file}, {}};
    EXPECT_EQ(text, "before\na\nb\n");
    std::filesystem::remove(log);
}

}  // namespace
}  // namespace sluice
