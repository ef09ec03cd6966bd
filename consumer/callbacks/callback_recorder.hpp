#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <thread>

#include "consumer/process/process.hpp"
#include "consumer/process/side_reader.hpp"
#include "consumer/process/topic_guard.hpp"
#include "consumer/store/callback/callback.hpp"

namespace sluice::consumer {

/// Keeps the record of callbacks: reads the webhook topic and the topic of callbacks in a group of its own,
/// and writes a row for each callback. Beside the retry role, which never waits for it: it begins once both
/// topics are there, and what fails in it delays the record alone.
class CallbackRecorder {
public:
    /// Throws config::Refused where the Kafka settings cannot be used. `process` outlives it.
    explicit CallbackRecorder(Process& process);
    ~CallbackRecorder();  ///< stop() if not done yet

    void start();
    /// Finishes what is under way, stores what is recorded, leaves the group.
    void stop();

    /// Only a new process can go on; the log says why. Any thread.
    [[nodiscard]] bool has_failed() const;
    /// The older one of its poll threads' last turns; nothing before they begin. Any thread.
    [[nodiscard]] std::optional<SteadyTime> last_turn() const;

private:
    void begin(const std::stop_token& stop);
    void read(SideReader& reader, store::CallbackPlace::Log log, const std::string& topic,
              const kafka::TopicFacts& facts);

    Process& process_;
    SideReader events_;
    SideReader callbacks_;
    std::optional<TopicGuard> guard_;
    std::atomic<bool> reading_ = false;
    std::jthread starter_;
};

}  // namespace sluice::consumer
