#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

#include "common/clock.hpp"
#include "consumer/record/record.hpp"

namespace sluice::consumer {

/// What a worker has to do, in the order that each object demands. Pure; one worker owns it.
///
/// Nothing waits here for long: an event that failed is held while it is tried again in place, one that lost
/// a lock until it gets it. An event that waits longer does so in MySQL, in its object's lane.
///
///  - Events of one object leave in the order they came; different objects do not wait for each other.
///  - A healthy object's events go out in batches. Once one of them is held, the object is troubled: its
///    events go out one at a time, until that one is finished. Those behind it wait for it.
class Backlog {
public:
    /// New ones, and what goes back as if never taken: each to its place in its object, by offset.
    void push(Items items);

    /// Up to `most` events of healthy objects, each object's in order, all to be run together.
    [[nodiscard]] Items take_batch(std::size_t most);
    /// The first event of a troubled object, unless it is held.
    [[nodiscard]] std::optional<Item> take_alone(SteadyTime now);

    /// Back to the front of its object; it and its followers wait until `until`.
    void hold(Item item, SteadyTime until);
    /// A taken event is finished.
    void finished(const Record& record);

    /// Drops what `stale` says is of a partition that is no longer ours or was rewound.
    void drop_if(const std::function<bool(const Item&)>& stale);

    /// When take_alone will have something if nothing else happens; nullopt: never.
    [[nodiscard]] std::optional<SteadyTime> next_due() const;
    [[nodiscard]] bool empty() const noexcept { return objects_.empty(); }
    [[nodiscard]] std::size_t troubled() const noexcept { return troubled_.size(); }

private:
    struct Object {
        Items waiting;                         // by offset
        std::optional<SteadyTime> held_until;  // of waiting.front()
        bool troubled = false;
        bool queued = false;  // stands in healthy_
    };
    struct KeyHash {
        using is_transparent = void;
        // Not noexcept: libstdc++ then keeps each key's hash, and does not compute it again at every lookup.
        std::size_t operator()(std::string_view key) const { return std::hash<std::string_view>{}(key); }
    };
    using Objects = std::unordered_map<std::string, Object, KeyHash, std::equal_to<>>;

    Objects::value_type& object_of(const Item& item);
    void enqueue(const std::string& key, Object& object);
    void mark_troubled(const std::string& key, Object& object);
    void settle(Objects::iterator at);
    static std::optional<Item> take_from(Object& object, SteadyTime now);

    Objects objects_;
    std::deque<std::string> healthy_;  // with something to run, in order of arrival
    std::set<std::string, std::less<>> troubled_;
    std::string last_alone_;  // where the round of the troubled ones stands
};

}  // namespace sluice::consumer
