#pragma once

#include <span>
#include <vector>

#include "consumer/record.hpp"
#include "consumer/store/inbox.hpp"

namespace sluice::consumer {

/// A decoded batch sorted out by what is known of each event. Pure.
struct Folded {
    struct Fresh {
        Item* item;
        std::vector<Item*> twins;  ///< the same event again, with the same content
    };
    std::vector<Fresh> fresh;       ///< to be applied together, by object, each object's in order
    std::vector<Item*> duplicates;  ///< in the inbox with the same content, owing nothing
    std::vector<Item*> alone;       ///< anything else, in the order it came
};

/// `items` hold each object's events in order. An event that has to run alone takes the later ones of its
/// object with it. `dropped_before`: see store::dropped_before.
[[nodiscard]] Folded fold(std::span<Item> items, std::span<const store::KnownEvent> known,
                          std::optional<std::chrono::sys_days> dropped_before);

}  // namespace sluice::consumer
