#include "consumer/main_role/backlog.hpp"

#include <algorithm>
#include <utility>

namespace sluice::consumer {
namespace {

/// The first of `items`, by its offset.
void insert_first_of(Items& items, Items& queue) {
    auto at = queue.end();
    while (at != queue.begin() && std::prev(at)->record.at.offset > items.front().record.at.offset) --at;
    queue.splice(at, items, items.begin());
}

}  // namespace

Backlog::Objects::value_type& Backlog::object_of(const Item& item) {
    const ObjectKey key{item.record};
    const auto at = objects_.find(std::string_view{key});
    return at != objects_.end() ? *at : *objects_.try_emplace(key.str()).first;
}

void Backlog::push(Items items) {
    while (!items.empty()) {
        auto& [key, object] = object_of(items.front());
        insert_first_of(items, object.waiting);
        if (!object.troubled) enqueue(key, object);
    }
}

Items Backlog::take_batch(std::size_t most) {
    Items batch;
    while (batch.size() < most && !healthy_.empty()) {
        const std::string key = std::move(healthy_.front());
        healthy_.pop_front();
        const auto at = objects_.find(key);
        if (at == objects_.end() || !at->second.queued) continue;
        Object& object = at->second;
        object.queued = false;
        while (batch.size() < most && !object.waiting.empty())
            batch.splice(batch.end(), object.waiting, object.waiting.begin());
        settle(at);
    }
    return batch;
}

std::optional<Item> Backlog::take_alone(SteadyTime now) {
    // Round robin: an object that is always due must not starve the others.
    for (std::size_t tried = 0; tried < troubled_.size(); ++tried) {
        auto next = troubled_.upper_bound(last_alone_);
        if (next == troubled_.end()) next = troubled_.begin();
        last_alone_ = *next;
        if (auto item = take_from(objects_.find(*next)->second, now)) return item;
    }
    return std::nullopt;
}

std::optional<Item> Backlog::take_from(Object& object, SteadyTime now) {
    if (object.waiting.empty() || (object.held_until && *object.held_until > now)) return std::nullopt;
    object.held_until.reset();
    Item item = std::move(object.waiting.front());
    object.waiting.pop_front();
    return item;
}

void Backlog::hold(Item item, SteadyTime until) {
    Items one;
    one.push_back(std::move(item));
    auto& [key, object] = object_of(one.front());
    insert_first_of(one, object.waiting);
    object.held_until = until;
    mark_troubled(key, object);
}

void Backlog::finished(const Record& record) {
    const auto at = objects_.find(std::string_view{ObjectKey{record}});
    if (at != objects_.end()) settle(at);
}

void Backlog::drop_if(const std::function<bool(const Item&)>& stale) {
    for (auto at = objects_.begin(); at != objects_.end();) {
        const auto here = at++;
        Object& object = here->second;
        std::erase_if(object.waiting, stale);
        settle(here);
    }
}

std::optional<SteadyTime> Backlog::next_due() const {
    std::optional<SteadyTime> due;
    const auto offer = [&](SteadyTime time) { due = due ? std::min(*due, time) : time; };
    for (const std::string& key : troubled_) {
        const Object& object = objects_.find(key)->second;
        if (!object.waiting.empty()) offer(object.held_until.value_or(SteadyTime::min()));
    }
    return due;
}

void Backlog::enqueue(const std::string& key, Object& object) {
    if (std::exchange(object.queued, true)) return;
    healthy_.push_back(key);
}

void Backlog::mark_troubled(const std::string& key, Object& object) {
    object.troubled = true;
    object.queued = false;
    troubled_.insert(key);
}

void Backlog::settle(Objects::iterator at) {
    Object& object = at->second;
    if (object.troubled && (object.waiting.empty() || !object.held_until)) {
        object.troubled = false;
        troubled_.erase(at->first);
    }
    if (object.troubled) return;
    if (object.waiting.empty()) {
        objects_.erase(at);
    } else {
        enqueue(at->first, object);
    }
}

}  // namespace sluice::consumer
