#include "common/stop_signal.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <system_error>

#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "common/clock.hpp"

namespace sluice {
namespace {

sigset_t watched() {
    sigset_t signals;
    sigemptyset(&signals);
    for (const int one : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&signals, one);
    return signals;
}

int milliseconds_until(SteadyTime end) {
    const auto left = std::chrono::ceil<Milliseconds>(end - SystemClock{}.steady());
    return static_cast<int>(std::clamp<Milliseconds::rep>(left.count(), 0, 86'400'000));
}

}  // namespace

StopSignal::StopSignal() {
    const sigset_t signals = watched();
    if (const int error = pthread_sigmask(SIG_BLOCK, &signals, nullptr); error != 0) {
        throw std::system_error{error, std::system_category(), "pthread_sigmask"};
    }
    std::signal(SIGPIPE, SIG_IGN);
    descriptor_ = ::signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC);
    if (descriptor_ < 0) throw std::system_error{errno, std::system_category(), "signalfd"};
}

// The signals stay blocked: a second SIGTERM must not cut the end of main short.
StopSignal::~StopSignal() {
    ::close(descriptor_);
}

StopSignal::Event StopSignal::wait(std::chrono::milliseconds timeout) {
    const SteadyTime end = SystemClock{}.steady() + timeout;
    for (;;) {
        signalfd_siginfo info{};
        if (::read(descriptor_, &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
            return info.ssi_signo == SIGHUP ? Event::reload : Event::stop;
        }
        const int left = milliseconds_until(end);
        if (left == 0) return Event::none;
        pollfd readable{.fd = descriptor_, .events = POLLIN, .revents = 0};
        (void)::poll(&readable, 1, left);
    }
}

}  // namespace sluice
