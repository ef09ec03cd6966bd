#pragma once

#include <optional>
#include <span>
#include <vector>

#include "common/webhook/recipe/source.hpp"
#include "consumer/record/record.hpp"
#include "consumer/store/inbox/inbox.hpp"
#include "consumer/store/lane/lane.hpp"

namespace sluice::consumer {

/// A decoded batch sorted out by what is known of each event. Pure.
struct SortedBatch {
    struct Fresh {
        Item* item;
        std::vector<Item*> twins;  ///< the same event again, with the same content
    };
    std::vector<Fresh> fresh;       ///< to be applied together, by object, each object's in order
    std::vector<Item*> duplicates;  ///< in the inbox with the same content, owing nothing
    std::vector<Item*> alone;       ///< anything else, in the order it came
};

/// What MySQL says of a batch.
struct Known {
    std::vector<store::KnownEvent> events;
    std::vector<store::LaneKey> busy;                     ///< lanes with unfinished events
    std::optional<std::chrono::sys_days> dropped_before;  ///< see store::dropped_before
};

/// `items` hold each object's events in order. An event that is of none of `sources`, or whose keys they make
/// differently, runs alone; so does one that may have ended a session. One that has to run alone takes the
/// later ones of its object with it; if an object's lane is not open, all its events run alone, duplicates
/// too: each sends what the lane owes.
[[nodiscard]] SortedBatch sort_batch(std::span<Item* const> items, const Known& known,
                                     const webhook::SourceSet& sources);

}  // namespace sluice::consumer
