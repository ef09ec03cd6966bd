#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "consumer/store/lane/lane.hpp"

/// Lanes in memory, for the test that the tables are what the rules decided.
namespace sluice::store {

struct MemoryEvent {
    lane::Row row{};
    std::vector<std::string> effects;
    InboxKey inbox;
    std::optional<std::int64_t> owed_death{};
};

struct MemoryLane {
    std::string object;
    LaneKey key = lane_key_of(object);
    std::optional<lane::Wakeup> wakeup{};  ///< none: no row yet
    std::map<lane::Position, MemoryEvent> events{};
    lane::Position last = 0;
    lane::Position settled = 0;          ///< nothing up to here is unfinished
    std::optional<InboxKey> finished{};  ///< the event that was finished last

    [[nodiscard]] lane::Lane read() const {
        lane::Lane out{.wakeup = wakeup.value_or(lane::Wakeup{}), .front = {}, .dlq_owed = {}};
        for (const auto& [position, event] : events) {
            if (event.row.lets_pass) continue;
            out.front.push_back(event.row);
            if (event.row.status != lane::Status::deferred) break;
        }
        for (const auto& [position, event] : events) {
            if (!event.owed_death) continue;
            out.dlq_owed = {.position = position, .death = *event.owed_death};
            break;
        }
        return out;
    }
};

}  // namespace sluice::store
