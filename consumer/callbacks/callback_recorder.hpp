#pragma once

#include <string>
#include <thread>

#include "common/kafka/topic_facts.hpp"
#include "consumer/process/process.hpp"
#include "consumer/process/side_reader.hpp"
#include "consumer/store/callback/callback.hpp"

namespace sluice::consumer {

/// Keeps the record of callbacks: reads the webhook topic and the topic of callbacks in a group of its own,
/// and writes a row for each callback. Beside the retry role, which never waits for it and does not end with
/// it: it begins once both topics are there, and begins anew ten seconds after anything has ended it, such as
/// a topic that was recreated. Only the record is late then.
class CallbackRecorder {
public:
    /// Begins at once. `process` outlives it.
    explicit CallbackRecorder(Process& process);
    /// Waits until what is under way is finished, what is recorded is stored, and the group is left.
    ~CallbackRecorder() = default;

    /// So that it ends beside others.
    void ask_stop() { thread_.request_stop(); }

private:
    void run(const std::stop_token& stop);
    void record(const std::stop_token& stop);
    void read(SideReader& reader, store::CallbackPlace::Log log, const std::string& topic,
              const kafka::TopicFacts& facts);
    void ended(const std::string& why);

    Process& process_;
    std::jthread thread_;
};

}  // namespace sluice::consumer
