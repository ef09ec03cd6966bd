#pragma once

#include <memory>
#include <optional>
#include <span>
#include <stop_token>

#include "command/call/service.hpp"
#include "command/config/definition.hpp"
#include "command/record/call_record.hpp"
#include "command/telemetry/call_metrics.hpp"
#include "common/telemetry/log.hpp"

namespace sluice::command {

/// What calls of one command need of the process; all outlive it.
struct CallSurroundings {
    const Definition& definition;
    std::span<const Secret> keys;
    const Clock& clock;
    Log& log;
    CallMetrics& metrics;
    std::stop_token stop{};  ///< asked for: what is at work ends after the request that it has sent
};

/// Record, call, settle: the life of a call, step by step. A call is in progress in its record before any
/// byte is sent, and is sent once for each fence. Where nobody says what became of it, it stays in progress
/// under a new fence until the service's query tells. After a stop nothing is sent, and what is not known
/// stays in progress for whoever comes when its lease is over. One thread's; blocks.
class CallWork {
public:
    CallWork(const CallSurroundings& around, std::unique_ptr<CallRecord> record);

    [[nodiscard]] Answer execute(const Request& request);
    [[nodiscard]] std::expected<Standing, std::string> look_up(const crypto::Digest& key);
    /// Goes on with calls whose lease is over, one after the other, until there is none, the service tells
    /// nothing, or the process stops.
    void settle_due();
    /// Shows for how long the oldest call has been in progress, whoever's it is, and how many calls wait for
    /// a person: a process that gives one up and ends may be asked for its counters no more.
    void show_open();
    /// CallRecord::look_again.
    void idle() { record_->look_again(); }

private:
    using Told = std::optional<CallEnd>;  // nullopt: not known yet

    [[nodiscard]] Told call(Claim& claim, const Request& request, SteadyTime until);
    /// `claim` becomes the next one.
    [[nodiscard]] Told next_then_ask(Claim& claim, const Request& request);
    [[nodiscard]] Told ask(const Claim& claim, std::string_view traceparent);
    [[nodiscard]] Answer finished(const Claim& claim, const Told& told, const Request& request,
                                  SteadyTime until);
    [[nodiscard]] Answer answer_so_far(const Request& request);
    /// False: somebody else went on with it. What could not be recorded is in the log.
    [[nodiscard]] CallRecord::Recorded<bool> finish(const Claim& claim, const CallEnd& end, SteadyTime until);
    [[nodiscard]] CallRecord::Recorded<bool> write(const Claim& claim, const CallEnd& end, SteadyTime until);
    void say(const Claim& claim, std::string_view decision, const Exchanged& exchanged);
    void say_not_recorded(const Claim& claim, const CallEnd& end, const std::string& why);
    void count(const Claim& claim, const CallEnd& end, bool is_ours);
    [[nodiscard]] Answer answer_of_another(const Claim& claim, const Request& request);
    [[nodiscard]] bool settle_one(const Claim& due);

    CallSurroundings around_;
    const CallDefinition& call_;
    std::unique_ptr<CallRecord> record_;
    Service service_;
};

}  // namespace sluice::command
