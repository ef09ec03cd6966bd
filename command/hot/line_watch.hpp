#pragma once

#include <condition_variable>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

#include "command/config/line_settings.hpp"
#include "common/clock.hpp"
#include "common/kafka/handle.hpp"
#include "common/telemetry/log.hpp"
#include "consumer/retry_role/topic_ends.hpp"

namespace sluice::command {

using consumer::TopicEnds;

/// Whether the group has booked all that stood in the topic: below each end. A partition of which nothing is
/// known is not booked. Pure.
[[nodiscard]] bool has_passed(const TopicEnds& booked, const TopicEnds& ends);

/// Says when all that is in the topic now has been booked, for look-ups of keys that have no row. A thread of
/// its own with a client that joins no group. Thread-safe.
class LineWatch {
public:
    using Passed = std::function<void(bool)>;

    /// All outlive it. Throws config::Refused for settings that librdkafka refuses.
    LineWatch(const LineSettings& settings, Log& log, const Clock& clock);
    ~LineWatch() { close(); }
    /// Ends the thread. Those who wait are told false, and so is who asks later.
    void close();

    /// `told` is called once, on the watch's thread, or at once when that has ended: true when the group has
    /// passed where the topic ends now; false when that is not so at `until`, or is not known. It does not
    /// throw.
    void when_passed(SteadyTime until, Passed told);

private:
    struct Question {
        SteadyTime until{};
        Passed told;
        std::optional<TopicEnds> ends{};  ///< of when it was asked, or later
    };

    void run(const std::stop_token& stop);
    void look();
    void take_ends();
    [[nodiscard]] std::optional<TopicEnds> booked();
    void tell(const std::optional<TopicEnds>& booked);

    const LineSettings& settings_;
    const Clock& clock_;
    Log& log_;
    kafka::Client client_;
    std::size_t partitions_ = 0;     // the most that were seen
    std::list<Question> questions_;  // the thread's
    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::list<Question> asked_;
    bool is_closed_ = false;
    std::jthread thread_;  // last: starts when all else is there
};

}  // namespace sluice::command
