#include "consumer/main_role/sort_batch.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "consumer/apply/event.hpp"

namespace sluice::consumer {
namespace {

bool is_settled(const store::KnownEvent& known, const Item& item) {
    if (known.content_digest != item.event.content_digest) return false;
    return known.dlq != store::DlqRecord::owed;
}

}  // namespace

SortedBatch sort_batch(std::span<Item* const> items, const Known& known, const webhook::SourceSet& sources) {
    const std::set<store::LaneKey> busy{known.busy.begin(), known.busy.end()};
    std::map<store::InboxKey, const store::KnownEvent*> by_key;
    for (const auto& event : known.events) by_key.emplace(event.key, &event);

    SortedBatch sorted;
    std::map<store::InboxKey, std::size_t> firsts;  // into sorted.fresh
    std::set<std::string, std::less<>> leaving;     // objects of which an event runs alone
    for (Item* const one : items) {
        Item& item = *one;
        const ObjectKey object{item.record};
        const auto leave = [&] {
            leaving.insert(object.str());
            sorted.alone.push_back(&item);
        };
        const bool is_busy = !busy.empty() && busy.contains(lane_of(item));
        if (!item.decoded || is_busy || leaving.contains(std::string_view{object})) {
            leave();
            continue;
        }
        const auto row = by_key.find(inbox_key(item));
        if (row != by_key.end()) {
            is_settled(*row->second, item) ? sorted.duplicates.push_back(&item) : leave();
            continue;
        }
        const auto first = firsts.find(inbox_key(item));
        if (first != firsts.end()) {
            auto& fresh = sorted.fresh[first->second];
            const bool same = fresh.item->event.content_digest == item.event.content_digest;
            same ? fresh.twins.push_back(&item) : leave();
            continue;
        }
        const bool cannot_be_told = !has_source_of(item, sources) || has_other_keys(item, sources);
        const bool may_cost_all = item.failures.troubled.times > 0;
        if (is_too_old(item, known.dropped_before) || cannot_be_told || may_cost_all) {
            leave();
            continue;
        }
        firsts.emplace(inbox_key(item), sorted.fresh.size());
        sorted.fresh.push_back({&item, {}});
    }
    // Rows that effects touch are mostly those of the object: sorted, batches lock them in one order.
    std::ranges::stable_sort(
        sorted.fresh, [](const SortedBatch::Fresh& one, const SortedBatch::Fresh& other) {
            return std::string_view{ObjectKey{one.item->record}} < ObjectKey{other.item->record};
        });
    return sorted;
}

}  // namespace sluice::consumer
