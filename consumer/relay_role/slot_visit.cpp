#include "consumer/relay_role/slot_visit.hpp"

#include <array>
#include <optional>

#include "common/failpoint.hpp"

namespace sluice::consumer {
namespace {

constexpr std::chrono::seconds longest_visit{5};
constexpr std::chrono::seconds longest_choice{1};

/// Draws one of those that were tried least: those that always fail may be many.
class Draw {
public:
    explicit Draw(Random& random) : random_{random} {}

    void add(const store::OutboxMessage& message) {
        if (chosen_ && message.attempts > chosen_->attempts) return;
        if (chosen_ && message.attempts < chosen_->attempts) seen_ = 0;
        if (std::uniform_int_distribution<std::size_t>{0, seen_++}(random_) == 0) chosen_ = message;
    }
    [[nodiscard]] std::optional<store::OutboxMessage>& chosen() noexcept { return chosen_; }

private:
    Random& random_;
    std::size_t seen_ = 0;
    std::optional<store::OutboxMessage> chosen_;
};

}  // namespace

SlotVisit::SlotVisit(store::Connection& connection, Sender& sender, Outcomes& outcomes, Circuit& circuit,
                     const Clock& clock, Random& random, const std::stop_token& stop)
    : connection_{connection},
      sender_{sender},
      outcomes_{outcomes},
      circuit_{circuit},
      clock_{clock},
      random_{random},
      stop_{stop},
      until_{clock.steady() + longest_visit} {}

bool SlotVisit::is_over() const {
    return stop_.stop_requested() || (has_sent_ && clock_.steady() > until_);
}

SlotVisit::End SlotVisit::run(const store::OutboxSlot& slot, const std::function<void()>& alive) {
    if (circuit_.is_open()) return probe(slot, alive);
    std::int64_t last = 0;
    for (bool is_more = true; is_more && !is_over();) {
        auto messages = store::unfinished_messages(connection_, slot, last);
        if (!messages) return End::lost;
        is_more = messages->size() == store::outbox_batch;
        if (is_more) last = messages->back().id;
        order_.take(*messages);
        alive();
        if (const End page = send_page(alive); page == End::resting || page == End::lost) return page;
    }
    return has_sent_ ? End::worked : End::idle;
}

SlotVisit::End SlotVisit::probe(const store::OutboxSlot& slot, const std::function<void()>& alive) {
    Draw draw{random_};
    auto& chosen = draw.chosen();
    std::int64_t last = 0;
    const SteadyTime began = clock_.steady();
    for (bool is_more = true; is_more && !stop_.stop_requested();) {
        auto messages = store::unfinished_messages(connection_, slot, last);
        if (!messages) return End::lost;
        is_more =
            messages->size() == store::outbox_batch && (!chosen || clock_.steady() - began < longest_choice);
        if (is_more) last = messages->back().id;
        order_.take(*messages);
        for (const auto* due : order_.next()) {
            order_.stays(*due);
            draw.add(*due);
        }
        alive();
    }
    if (!chosen) return End::idle;
    order_.take({});  // what is left of the last page went with it
    const std::array one{&*chosen};
    return send(one);
}

SlotVisit::End SlotVisit::send_page(const std::function<void()>& alive) {
    while (!is_over()) {
        const auto messages = order_.next();
        if (messages.empty()) break;
        if (const End end = send(messages); end == End::resting || end == End::lost) return end;
        alive();
    }
    return End::idle;
}

SlotVisit::End SlotVisit::send(std::span<store::OutboxMessage* const> messages) {
    if (!store::read_bodies(connection_, messages)) return End::lost;
    has_tried_ = true;
    (void)FP("consumer.before_message_send");
    const auto answers = sender_.send(messages, stop_);
    (void)FP("consumer.after_message_send");
    if (!outcomes_.write(connection_, messages, answers)) return End::lost;
    for (auto* message : messages) message->body = {};  // of a page of large ones few are kept at once
    keep_untaken(messages, answers);
    return circuit_.is_open_after(answers) ? End::resting : End::worked;
}

void SlotVisit::keep_untaken(std::span<store::OutboxMessage* const> messages, std::span<const Sent> answers) {
    std::vector<store::OutboxMessage*> untried;
    for (std::size_t i = 0; i < messages.size(); ++i) {
        const auto how = answers[i].how;
        if (how == Sent::How::taken)
            has_sent_ = true;
        else if (how == Sent::How::untried)
            untried.push_back(messages[i]);
        else
            order_.stays(*messages[i]);
    }
    order_.put_back(untried);
}

}  // namespace sluice::consumer
