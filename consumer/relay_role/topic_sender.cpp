#include "consumer/relay_role/topic_sender.hpp"

#include "common/crypto/encoding.hpp"
#include "consumer/publish/record_refusal.hpp"
#include "consumer/store/outbox/body_form.hpp"

namespace sluice::consumer {
namespace {

constexpr std::chrono::seconds longest_alone{2};
constexpr std::size_t most_headers = 8;

}  // namespace

Outgoing record_of(const store::OutboxMessage& message, const std::string& topic) {
    Outgoing record{.topic = topic, .key = {}, .value = message.body, .headers = {}};
    if (message.key) record.key = *message.key;
    record.headers.reserve(most_headers);  // a list in braces would be copied
    record.headers.emplace_back("content-type", store::content_type_of(message.body));
    record.headers.emplace_back("idempotency-key", crypto::to_hex(message.idempotency_key));
    record.headers.emplace_back("sluice-event-id", message.event_id);
    record.headers.emplace_back("sluice-event-type", message.event_type);
    record.headers.emplace_back("sluice-source", message.source);
    record.headers.emplace_back("sluice-effect", message.effect);
    if (!store::is_json(message.body))
        record.headers.emplace_back("sluice-message-type", store::message_type);
    if (!message.traceparent.empty()) record.headers.emplace_back("traceparent", message.traceparent);
    return record;
}

std::vector<Sent> TopicSender::send(std::span<const store::OutboxMessage* const> messages,
                                    const std::stop_token& stop) {
    std::vector<Outgoing> records;
    records.reserve(messages.size());
    for (const auto* message : messages) records.push_back(record_of(*message, topic_));
    std::vector<Sent> all;
    for (const auto& answer : publisher_.publish_all(records)) all.push_back(sent_of(answer));
    const SteadyTime until = clock_.steady() + longest_alone;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].how != Sent::How::refused) continue;
        // Records travel in batches, also with those of others, and a topic refuses a batch as a whole: alone
        // it may be small enough.
        const bool is_time_over = stop.stop_requested() || clock_.steady() > until;
        all[i] = is_time_over ? Sent{.how = Sent::How::untried} : sent_of(publisher_.publish(records[i]));
    }
    return all;
}

Milliseconds TopicSender::longest_call() const {
    return std::chrono::seconds{10};
}

Sent TopicSender::sent_of(const Result<void>& answer) const {
    if (answer) return {};
    const bool is_refused = is_refusal_of_the_message(answer.error());
    return {is_refused ? Sent::How::refused : Sent::How::failed,
            "topic " + topic_ + ": " + answer.error().message()};
}

}  // namespace sluice::consumer
