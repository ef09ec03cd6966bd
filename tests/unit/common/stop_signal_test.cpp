#include "common/stop_signal.hpp"

#include <csignal>

#include <unistd.h>

#include <gtest/gtest.h>

namespace sluice {
namespace {

using std::chrono::milliseconds;
using Event = StopSignal::Event;

/// Gives the process its own ways with signals back afterwards.
class StopSignals : public ::testing::Test {
protected:
    StopSignals() {
        pthread_sigmask(SIG_SETMASK, nullptr, &mask_);
        struct sigaction dying{};
        dying.sa_handler = SIG_DFL;
        sigaction(SIGPIPE, &dying, &pipe_);
    }
    ~StopSignals() override {
        sigaction(SIGPIPE, &pipe_, nullptr);
        pthread_sigmask(SIG_SETMASK, &mask_, nullptr);
    }

private:
    sigset_t mask_{};
    struct sigaction pipe_{};
};

TEST_F(StopSignals, NoneWhenNothingComes) {
    StopSignal signals;
    EXPECT_EQ(signals.wait(milliseconds{0}), Event::none);
    EXPECT_EQ(signals.wait(milliseconds{-5}), Event::none);
    EXPECT_EQ(signals.wait(milliseconds{1}), Event::none);
}

TEST_F(StopSignals, TermAndIntStop) {
    StopSignal signals;
    for (const int signal : {SIGTERM, SIGINT}) {
        ::kill(::getpid(), signal);
        EXPECT_EQ(signals.wait(milliseconds{10'000}), Event::stop);
    }
    EXPECT_EQ(signals.wait(milliseconds{0}), Event::none);
}

TEST_F(StopSignals, HangupReloadsAndDoesNotHideAStop) {
    StopSignal signals;
    ::kill(::getpid(), SIGHUP);
    ::kill(::getpid(), SIGTERM);
    EXPECT_EQ(signals.wait(milliseconds{10'000}), Event::reload);
    EXPECT_EQ(signals.wait(milliseconds{10'000}), Event::stop);
}

TEST_F(StopSignals, ABrokenPipeIsAnErrorAndNoDeath) {
    StopSignal signals;
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    ::close(ends[0]);
    EXPECT_EQ(::write(ends[1], "x", 1), -1);
    ::close(ends[1]);
}

}  // namespace
}  // namespace sluice
