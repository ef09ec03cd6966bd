#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "consumer/store/outbox/outbox.hpp"

namespace sluice::consumer {

/// Which messages of a slot may be sent next: of each key the first that is not sent, so that a key's
/// messages leave in their order whatever becomes of one. Pure; of one visit of a slot.
class SendOrder {
public:
    /// The next messages of the slot, in the order of their ids, behind those that were taken before. Of each
    /// key it keeps as many as a page has at most: one that has more does not hide the keys behind it.
    void take(std::vector<store::OutboxMessage> messages);

    /// Of each key at most one, in the order of their ids, as many as a page has at most, and 8 MB of bodies,
    /// or one message however large; empty: no more of what was taken may be sent. The caller's from now on.
    [[nodiscard]] std::vector<store::OutboxMessage> next();
    /// What was taken and not given yet.
    [[nodiscard]] std::size_t left() const noexcept { return left_.size(); }
    /// These were not tried, and come again: some of what `next` gave.
    void put_back(std::vector<store::OutboxMessage> messages);
    /// Of what was taken and no refused message holds: the age of the oldest, and whether one was put off.
    [[nodiscard]] std::chrono::seconds oldest() const noexcept { return oldest_; }
    [[nodiscard]] bool has_put_off() const noexcept { return has_put_off_; }
    /// This message was not sent: those behind it of the same key stay, also those that are taken later.
    void stays(const store::OutboxMessage& message);

private:
    std::vector<store::OutboxMessage> left_;
    std::map<std::string, std::size_t> kept_;     ///< how many, by key
    std::set<std::string, std::less<>> held_;     ///< keys
    std::set<std::string, std::less<>> refused_;  ///< keys of refused messages
    std::chrono::seconds oldest_{0};
    bool has_put_off_ = false;
};

}  // namespace sluice::consumer
