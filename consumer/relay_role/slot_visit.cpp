#include "consumer/relay_role/slot_visit.hpp"

#include <optional>
#include <utility>

#include "common/failpoint.hpp"

namespace sluice::consumer {
namespace {

constexpr std::chrono::seconds longest_visit{5};
constexpr std::chrono::seconds longest_choice{1};
// In a row: of what a key has more than it may send in a visit, not all is read in each.
constexpr int most_barren_pages = 64;

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

/// Few are kept at once; it is read again.
void drop_large_body(store::OutboxMessage& message) {
    if (message.size <= store::small_body) return;
    message.body = {};
    message.has_body = false;
}

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
    if (stop_.stop_requested()) return true;
    return has_sent_ && (barren_pages_ > most_barren_pages || clock_.steady() > until_);
}

SlotVisit::End SlotVisit::run(const store::OutboxSlot& slot, const std::function<void()>& alive) {
    if (circuit_.is_open()) return probe(slot, alive);
    while (!is_over() && (is_more_ || order_.left() > 0)) {
        if (wants_page() && !take_page(slot)) return End::lost;
        if (auto messages = order_.next(); !messages.empty()) {
            if (const End end = send(std::move(messages)); end == End::resting || end == End::lost)
                return end;
        }
        alive();
    }
    return has_sent_ ? End::worked : End::idle;
}

// The more pages held nothing new, the more is sent before the next: a key with many would pay one for each.
bool SlotVisit::wants_page() const {
    if (!is_more_ || order_.left() == 0) return is_more_;
    return order_.left() < store::outbox_batch && calls_since_page_ >= barren_pages_;
}

bool SlotVisit::take_page(const store::OutboxSlot& slot) {
    auto messages = store::unfinished_messages(connection_, slot, last_);
    if (!messages) return false;
    is_more_ = messages->size() == store::outbox_batch;
    if (is_more_) last_ = messages->back().id;
    calls_since_page_ = 0;
    const std::size_t before = order_.left();
    order_.take(std::move(*messages));
    barren_pages_ = order_.left() > before ? 0 : barren_pages_ + 1;
    return true;
}

SlotVisit::End SlotVisit::probe(const store::OutboxSlot& slot, const std::function<void()>& alive) {
    Draw draw{random_};
    auto& chosen = draw.chosen();
    const SteadyTime began = clock_.steady();
    const auto may_look = [&] { return !chosen || clock_.steady() - began < longest_choice; };
    while (is_more_ && may_look() && !stop_.stop_requested()) {
        if (!take_page(slot)) return End::lost;
        for (auto due = order_.next(); !due.empty(); due = order_.next()) {
            for (const auto& message : due) {
                order_.stays(message);
                draw.add(message);
            }
        }
        alive();
    }
    if (!chosen) return End::idle;
    return send({*chosen});
}

SlotVisit::End SlotVisit::send(std::vector<store::OutboxMessage> messages) {
    std::vector<store::OutboxMessage*> all;
    for (auto& message : messages) all.push_back(&message);
    if (!store::read_bodies(connection_, all)) return End::lost;
    has_tried_ = true;
    ++calls_since_page_;
    (void)FP("consumer.before_message_send");
    const auto answers = sender_.send(all, stop_);
    (void)FP("consumer.after_message_send");
    if (!outcomes_.write(connection_, all, answers)) return End::lost;
    keep_untaken(std::move(messages), answers);
    return circuit_.is_open_after(answers) ? End::resting : End::worked;
}

void SlotVisit::keep_untaken(std::vector<store::OutboxMessage> messages, std::span<const Sent> answers) {
    std::vector<store::OutboxMessage> untried;
    for (std::size_t i = 0; i < messages.size(); ++i) {
        const auto how = answers[i].how;
        has_sent_ = has_sent_ || answers[i].is_settled();
        if (how == Sent::How::taken) continue;
        if (how == Sent::How::untried)
            untried.push_back(std::move(messages[i]));
        else
            order_.stays(messages[i]);
    }
    for (auto& message : untried) drop_large_body(message);
    order_.put_back(std::move(untried));
}

}  // namespace sluice::consumer
