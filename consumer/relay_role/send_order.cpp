#include "consumer/relay_role/send_order.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace sluice::consumer {

namespace {

constexpr std::size_t most_bytes = 8'000'000;

}  // namespace

void SendOrder::take(std::vector<store::OutboxMessage> messages) {
    for (auto& message : messages) {
        if (message.is_refused && message.key) refused_.insert(*message.key);
        if (!message.is_refused && !(message.key && refused_.contains(*message.key))) {
            oldest_ = std::max(oldest_, message.age);
            if (!message.is_due) has_put_off_ = true;
        }
        if (message.key && ++kept_[*message.key] > store::outbox_batch) continue;
        left_.push_back(std::move(message));
    }
}

std::vector<store::OutboxMessage> SendOrder::next() {
    std::vector<store::OutboxMessage> now;
    std::vector<store::OutboxMessage> later;
    std::set<std::string, std::less<>> chosen;
    std::size_t bytes = 0;
    for (auto& message : left_) {
        if (message.key && held_.contains(*message.key)) continue;
        if (!message.is_due) {
            stays(message);
            continue;
        }
        const bool has_room =
            now.empty() || (bytes + message.size <= most_bytes && now.size() < store::outbox_batch);
        const bool is_first = !message.key || chosen.insert(*message.key).second;
        const bool goes = is_first && has_room;
        if (goes) bytes += message.size;
        (goes ? now : later).push_back(std::move(message));
    }
    left_ = std::move(later);
    return now;
}

void SendOrder::put_back(std::vector<store::OutboxMessage> messages) {
    if (messages.empty()) return;
    std::ranges::move(messages, std::back_inserter(left_));
    std::ranges::sort(left_, {}, &store::OutboxMessage::id);
}

void SendOrder::stays(const store::OutboxMessage& message) {
    if (message.key) held_.insert(*message.key);
}

}  // namespace sluice::consumer
