#pragma once

#include <span>
#include <string>
#include <vector>

#include "consumer/publish/publisher.hpp"
#include "consumer/relay_role/sender.hpp"

namespace sluice::consumer {

/// A destination that is a topic. Keys are the messages' own; headers say `content-type`, `idempotency-key`
/// (64 hex digits), `sluice-event-id`, `sluice-event-type`, `sluice-source` and `sluice-effect`;
/// `sluice-message-type` where the body is protobuf, `traceparent` where the event has one.
class TopicSender final : public Sender {
public:
    /// `publisher` and `clock` outlive it.
    TopicSender(std::string topic, Publisher& publisher, const Clock& clock)
        : topic_{std::move(topic)}, publisher_{publisher}, clock_{clock} {}

    [[nodiscard]] std::vector<Sent> send(std::span<const store::OutboxMessage* const> messages,
                                         const std::stop_token& stop) override;
    [[nodiscard]] Milliseconds longest_call() const override;

private:
    [[nodiscard]] Sent sent_of(const Result<void>& answer) const;

    std::string topic_;
    Publisher& publisher_;
    const Clock& clock_;
};

/// The record of a message. Its views are of the message.
[[nodiscard]] Outgoing record_of(const store::OutboxMessage& message, const std::string& topic);

}  // namespace sluice::consumer
