#pragma once

#include <span>
#include <string>

#include "consumer/process/process.hpp"
#include "consumer/relay_role/sender.hpp"

namespace sluice::consumer {

/// Writes what became of messages: to the outbox, the metrics and the log. One thread's.
class Outcomes {
public:
    /// `process` outlives it. A message that is tried for longer than `horizon` is refused.
    Outcomes(Process& process, std::string destination, Milliseconds horizon);

    /// What was taken first: if the rest cannot be written, it is not sent again. A failure is the
    /// connection's, or another relay's that was there meanwhile.
    [[nodiscard]] Result<void> write(store::Connection& connection,
                                     std::span<const store::OutboxMessage* const> messages,
                                     std::span<const Sent> answers);

private:
    [[nodiscard]] Result<void> put_off(store::Connection& connection, const store::OutboxMessage& message,
                                       const Sent& sent);
    [[nodiscard]] Result<void> refuse(store::Connection& connection, const store::OutboxMessage& message,
                                      const std::string& why);

    Process& process_;
    std::string destination_;
    Milliseconds horizon_;
    Counter& sent_;
    Counter& refused_;
    Counter& failed_;
};

}  // namespace sluice::consumer
