#pragma once

#include <functional>
#include <stop_token>

#include "common/clock.hpp"
#include "consumer/relay_role/circuit.hpp"
#include "consumer/relay_role/outcomes.hpp"
#include "consumer/relay_role/send_order.hpp"
#include "consumer/relay_role/sender.hpp"

namespace sluice::consumer {

/// Sends the messages of one slot, under its lock, page by page, of each key one after the other; what a page
/// leaves over goes with the next one, so that calls are full. For five seconds, or until none may be sent:
/// other slots wait meanwhile, and other relays for this one. What is held back at the front does not keep
/// what is behind from being seen: as long as nothing is sent, it goes on.
class SlotVisit {
public:
    enum class End {
        idle,     ///< nothing was sent
        worked,   ///< something was
        resting,  ///< the destination is in trouble
        lost,     ///< so is the connection
    };

    /// All outlive it.
    SlotVisit(store::Connection& connection, Sender& sender, Outcomes& outcomes, Circuit& circuit,
              const Clock& clock, Random& random, const std::stop_token& stop);

    /// The caller holds the slot's lock. `alive` is called after each page and each call of the sender.
    [[nodiscard]] End run(const store::OutboxSlot& slot, const std::function<void()>& alive);
    /// Of what it saw: see SendOrder.
    [[nodiscard]] std::chrono::seconds oldest() const noexcept { return order_.oldest(); }
    /// Whether something was tried, or will be when its time comes.
    [[nodiscard]] bool knows_the_destination() const noexcept { return has_tried_ || order_.has_put_off(); }

private:
    [[nodiscard]] bool is_over() const;
    [[nodiscard]] bool wants_page() const;
    /// Reads the next page, behind `last_`. False: the connection is lost.
    [[nodiscard]] bool take_page(const store::OutboxSlot& slot);
    /// Sends one of all that may be sent, of those that were tried least: it shows whether a destination in
    /// trouble works again.
    [[nodiscard]] End probe(const store::OutboxSlot& slot, const std::function<void()>& alive);
    [[nodiscard]] End send(std::vector<store::OutboxMessage> messages);
    void keep_untaken(std::vector<store::OutboxMessage> messages, std::span<const Sent> answers);

    store::Connection& connection_;
    Sender& sender_;
    Outcomes& outcomes_;
    Circuit& circuit_;
    const Clock& clock_;
    Random& random_;
    const std::stop_token& stop_;
    SteadyTime until_;
    SendOrder order_;
    std::int64_t last_ = 0;  ///< id that was read
    bool is_more_ = true;    ///< behind it
    int barren_pages_ = 0;   ///< the last ones, of which nothing was kept
    int calls_since_page_ = 0;
    bool has_sent_ = false;
    bool has_tried_ = false;
};

}  // namespace sluice::consumer
