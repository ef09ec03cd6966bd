#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "common/clock.hpp"
#include "consumer/record.hpp"

namespace sluice::consumer {

/// What a worker has to do, in the order that each object demands. Pure; one worker owns it.
///
/// This is the seam where lanes go: an object's troubled events wait here in memory until the
/// process ends (its offsets are not finished, so another process reads them again).
///
///  - Events of one object leave in the order they came; different objects do not wait for each other.
///  - A healthy object's events go out in batches. Once one of them is held or set aside, the object
///    is troubled: its events go out one at a time, until nothing of it is unfinished.
///  - A held event keeps its followers behind it; one that is set aside (deferred) lets them pass.
class Backlog {
public:
    void push(Item item);

    /// Up to `most` events of healthy objects, each object's in order, all to be run together.
    [[nodiscard]] std::vector<Item> take_batch(std::size_t most);
    /// One event of a troubled object that may run now: set-aside ones in order first, then the first
    /// waiting one unless it is held.
    [[nodiscard]] std::optional<Item> take_alone(SteadyTime now);

    /// Back to the front of its object; it and its followers wait until `until`.
    void hold(Item item, SteadyTime until);
    /// Set aside: followers may run; it is due again at `until`, or after a success of its object.
    void set_aside(Item item, SteadyTime until);
    /// Back to the front in the given order, nothing held: as if never taken.
    void put_back(std::vector<Item> items);
    /// A taken event is finished; its object's events set aside are due at once when it was applied.
    void finished(const Record& record, bool applied);

    /// Drops what `stale` says is of a partition that is no longer ours or was rewound.
    void drop_if(const std::function<bool(const Coordinates&)>& stale);

    /// When take_alone will have something, were nothing to happen: nullopt for never.
    [[nodiscard]] std::optional<SteadyTime> next_due() const;
    [[nodiscard]] bool empty() const noexcept { return objects_.empty(); }
    [[nodiscard]] std::size_t troubled() const noexcept { return troubled_.size(); }

private:
    struct Aside {
        Item item;
        SteadyTime until;
    };
    struct Object {
        // Lists: most objects hold one event and nothing aside, and a deque takes a block even when empty.
        std::list<Item> waiting;               // by offset
        std::list<Aside> aside;                // by offset
        std::optional<SteadyTime> held_until;  // of waiting.front()
        bool troubled = false;
        bool queued = false;  // stands in healthy_
    };
    struct KeyHash {
        using is_transparent = void;
        // Not noexcept: libstdc++ then keeps each key's hash, and does not compute it again at every look.
        std::size_t operator()(std::string_view key) const { return std::hash<std::string_view>{}(key); }
    };
    using Objects = std::unordered_map<std::string, Object, KeyHash, std::equal_to<>>;

    Objects::value_type& object_of(const Item& item);
    void enqueue(const std::string& key, Object& object);
    void mark_troubled(const std::string& key, Object& object);
    void settle(Objects::iterator at);
    static std::optional<Item> take_from(Object& object, SteadyTime now);
    static std::int64_t first_waiting_of(const Object& object);

    Objects objects_;
    std::deque<std::string> healthy_;  // with something to run, in order of arrival
    std::set<std::string, std::less<>> troubled_;
    std::string last_alone_;  // where the round of the troubled ones stands
};

}  // namespace sluice::consumer
