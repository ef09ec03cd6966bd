#include "common/telemetry/log.hpp"

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <thread>
#include <utility>

#include <poll.h>
#include <unistd.h>

#include "common/clock.hpp"
#include "common/telemetry/log_line.hpp"
#include "common/telemetry/log_queue.hpp"
#include "common/thread_name.hpp"

namespace sluice {
namespace {

constexpr std::size_t batch_bytes = 64 * 1024;
// Lines are gathered for this long: waking the thread for each line costs its caller more than the line.
constexpr std::chrono::milliseconds gather{20};
constexpr std::chrono::seconds last_wait{1};

// Signals are for the threads that wait for them; a closed pipe is an error code here.
void block_all_signals() {
    sigset_t all;
    sigfillset(&all);
    (void)pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

}  // namespace

/// Owned by the Log and by its thread, so that a thread stuck in write(2) can be left behind.
class Log::Writer : public std::enable_shared_from_this<Writer> {
public:
    explicit Writer(Settings settings) : settings_{std::move(settings)}, queue_{settings_.capacity} {}

    void start() {
        thread_ = std::thread{[self = shared_from_this()] { self->run(); }};
    }

    void write(LogLevel level, bool routine, std::string_view decision,
               std::initializer_list<LogField> fields) {
        if (!tells(level)) return;
        thread_local std::string line;
        write_log_line(line, clock_.wall(), level, settings_.program, decision, fields);
        const std::lock_guard lock{mutex_};
        const bool asleep = queue_.empty();
        if (queue_.offer(line, routine) && asleep) wake_.notify_one();
    }

    void drop() {
        const std::lock_guard lock{mutex_};
        queue_.drop();
    }

    [[nodiscard]] std::uint64_t dropped() const {
        const std::lock_guard lock{mutex_};
        return queue_.dropped();
    }

    [[nodiscard]] bool tells(LogLevel level) const noexcept { return level >= settings_.level; }
    [[nodiscard]] std::int64_t second() const noexcept {
        return std::chrono::floor<std::chrono::seconds>(clock_.steady()).time_since_epoch().count();
    }

    void stop() {
        std::unique_lock lock{mutex_};
        stopping_ = true;
        wake_.notify_one();
        const bool through = ended_.wait_for(lock, last_wait, [this] { return finished_; });
        lock.unlock();
        if (through) {
            thread_.join();
        } else {
            thread_.detach();  // stuck in write(2), which nothing else ends
        }
    }

private:
    void run() {
        block_all_signals();
        name_this_thread("log");
        std::unique_lock lock{mutex_};
        bool healthy = true;  // a broken descriptor's drops are reported with the next line, not at once
        for (;;) {
            if (queue_.empty()) {
                wake_.wait(lock,
                           [&] { return stopping_ || !queue_.empty() || (healthy && queue_.unsaid() > 0); });
                wake_.wait_for(lock, gather, [this] { return stopping_; });
            }
            const std::uint64_t unsaid = queue_.unsaid();
            std::string batch = queue_.take(batch_bytes);
            if (unsaid > 0) batch += drops_line(unsaid);
            if (batch.empty()) break;
            lock.unlock();
            healthy = put(batch);
            lock.lock();
            if (healthy) {
                queue_.written();
                queue_.said(unsaid);
            } else {
                queue_.lost();
                if (stopping_) break;
            }
        }
        finished_ = true;
        ended_.notify_one();
    }

    [[nodiscard]] std::string drops_line(std::uint64_t lines) const {
        return log_line(clock_.wall(), LogLevel::warn, settings_.program, "log_lines_dropped",
                        {{"lines", static_cast<std::int64_t>(lines)}});
    }

    /// Blocks as long as the descriptor does. False when it is broken: the text is lost.
    bool put(std::string_view text) const {
        while (!text.empty()) {
            const ssize_t count = ::write(settings_.descriptor, text.data(), text.size());
            if (count >= 0) {
                text.remove_prefix(static_cast<std::size_t>(count));
            } else if (errno == EAGAIN) {
                // Another owner made the descriptor non-blocking: it is not ours to set back.
                pollfd writable{.fd = settings_.descriptor, .events = POLLOUT, .revents = 0};
                (void)::poll(&writable, 1, -1);
            } else if (errno != EINTR) {
                return false;
            }
        }
        return true;
    }

    const Settings settings_;
    const SystemClock clock_;
    mutable std::mutex mutex_;
    std::condition_variable wake_;
    std::condition_variable ended_;
    LogQueue queue_;
    bool stopping_ = false;
    bool finished_ = false;
    std::thread thread_;
};

Log::Log(Settings settings) {
    if (settings.routine < 1) routine_.emplace(settings.routine);
    writer_ = std::make_shared<Writer>(std::move(settings));
    writer_->start();
}

Log::~Log() {
    writer_->stop();
}

void Log::write_event(std::string_view decision, std::string_view trace_id,
                      std::initializer_list<LogField> fields) {
    if (!routine_ || trace_id.empty() || routine_->keeps(trace_id)) write_routine(decision, fields);
}

void Log::write_routine(std::string_view decision, std::initializer_list<LogField> fields) {
    writer_->write(LogLevel::info, true, decision, fields);
}

void Log::write_capped(std::string_view decision, std::initializer_list<LogField> fields) {
    if (!writer_->tells(LogLevel::info)) return;
    if (!has_room_for_capped()) return writer_->drop();
    write_routine(decision, fields);
}

/// Two threads that meet at the turn of a second may tell some more.
bool Log::has_room_for_capped() noexcept {
    const std::int64_t now = writer_->second();
    if (capped_second_.exchange(now, std::memory_order_relaxed) != now)
        capped_.store(0, std::memory_order_relaxed);
    return capped_.fetch_add(1, std::memory_order_relaxed) < most_capped_in_a_second;
}

void Log::info(std::string_view decision, std::initializer_list<LogField> fields) {
    writer_->write(LogLevel::info, false, decision, fields);
}

void Log::warn(std::string_view decision, std::initializer_list<LogField> fields) {
    writer_->write(LogLevel::warn, false, decision, fields);
}

void Log::error(std::string_view decision, std::initializer_list<LogField> fields) {
    writer_->write(LogLevel::error, false, decision, fields);
}

std::uint64_t Log::dropped() const noexcept {
    return writer_->dropped();
}

}  // namespace sluice
