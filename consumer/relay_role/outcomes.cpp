#include "consumer/relay_role/outcomes.hpp"

#include <algorithm>

#include "common/failpoint.hpp"
#include "consumer/relay_role/refused_message.hpp"

namespace sluice::consumer {
namespace {

constexpr Milliseconds first_delay{1'000};
// Meanwhile others show whether it can be reached.
constexpr Milliseconds least_out_of_reach{10'000};
constexpr Milliseconds most_out_of_reach{60'000};
constexpr Milliseconds longest_delay = std::chrono::minutes{30};

Counter& messages_counter(Metrics& metrics, const std::string& destination, const std::string& what) {
    return metrics.counter("sluice_relay_messages_total",
                           "Messages, by what became of an attempt to send one",
                           {{"destination", destination}, {"result", what}});
}

}  // namespace

Outcomes::Outcomes(Process& process, std::string destination, Milliseconds horizon)
    : process_{process},
      destination_{std::move(destination)},
      horizon_{horizon},
      sent_{messages_counter(process.metrics, destination_, "sent")},
      refused_{messages_counter(process.metrics, destination_, "refused")},
      failed_{messages_counter(process.metrics, destination_, "failed")} {}

Result<void> Outcomes::write(store::Connection& connection,
                             std::span<const store::OutboxMessage* const> messages,
                             std::span<const Sent> answers) {
    std::vector<std::int64_t> taken;
    for (std::size_t i = 0; i < messages.size(); ++i) {
        if (answers[i].how == Sent::How::taken) taken.push_back(messages[i]->id);
    }
    if (const auto marked = store::mark_sent(connection, taken); !marked) return marked;
    (void)FP("consumer.after_message_mark");
    sent_.Increment(static_cast<double>(taken.size()));
    for (std::size_t i = 0; i < messages.size(); ++i) {
        const Sent& answer = answers[i];
        const bool is_put_off = answer.how == Sent::How::later && messages[i]->tried_for < horizon_;
        if (answer.how == Sent::How::failed || is_put_off) failed_.Increment();
        Result<void> done;
        if (answer.how == Sent::How::failed)
            done = store::leave_for(
                connection, messages[i]->id,
                std::clamp(Milliseconds{messages[i]->age}, least_out_of_reach, most_out_of_reach),
                answer.why);
        else if (is_put_off)
            done = put_off(connection, *messages[i], answer);
        else if (answer.how == Sent::How::refused || answer.how == Sent::How::later)
            done = refuse(connection, *messages[i], answer.why);
        if (!done) return done;
    }
    return {};
}

// As long again as it has been tried for: the waits double, also after an operator's retry.
Result<void> Outcomes::put_off(store::Connection& connection, const store::OutboxMessage& message,
                               const Sent& sent) {
    const auto wait = std::clamp(Milliseconds{message.tried_for}, first_delay, longest_delay);
    return store::put_off(connection, message.id, std::max(wait, sent.at_least_in), sent.why);
}

Result<void> Outcomes::refuse(store::Connection& connection, const store::OutboxMessage& message,
                              const std::string& why) {
    const auto done = refuse_message(message, destination_, why, process_.database_clock.wall(), connection);
    if (!done) return done;
    refused_.Increment();
    process_.log.error("message_refused", {{"destination", destination_},
                                           {"message", message.id},
                                           {"event_id", message.event_id},
                                           {"effect", message.effect},
                                           {"reason", why}});
    return {};
}

}  // namespace sluice::consumer
