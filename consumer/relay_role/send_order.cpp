#include "consumer/relay_role/send_order.hpp"

#include <algorithm>

namespace sluice::consumer {

namespace {

constexpr std::size_t most_bytes = 8'000'000;

}  // namespace

void SendOrder::take(std::span<store::OutboxMessage> messages) {
    left_.clear();
    for (auto& message : messages) {
        left_.push_back(&message);
        if (message.is_refused && message.key) refused_.insert(*message.key);
        if (message.is_refused || (message.key && refused_.contains(*message.key))) continue;
        oldest_ = std::max(oldest_, message.age);
        if (!message.is_due) has_put_off_ = true;
    }
}

std::vector<store::OutboxMessage*> SendOrder::next() {
    std::vector<store::OutboxMessage*> now;
    std::vector<store::OutboxMessage*> later;
    std::set<std::string_view> chosen;
    std::size_t bytes = 0;
    for (auto* message : left_) {
        if (message->key && held_.contains(*message->key)) continue;
        if (!message->is_due) {
            stays(*message);
            continue;
        }
        const bool is_full = !now.empty() && bytes + message->size > most_bytes;
        const bool is_first = !message->key || chosen.insert(*message->key).second;
        (is_first && !is_full ? now : later).push_back(message);
        if (is_first && !is_full) bytes += message->size;
    }
    left_ = std::move(later);
    return now;
}

void SendOrder::put_back(std::span<store::OutboxMessage* const> messages) {
    left_.insert(left_.end(), messages.begin(), messages.end());
    std::ranges::sort(left_, {}, &store::OutboxMessage::id);
}

void SendOrder::stays(const store::OutboxMessage& message) {
    if (message.key) held_.insert(*message.key);
}

}  // namespace sluice::consumer
