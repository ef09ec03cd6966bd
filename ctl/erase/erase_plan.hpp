#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/config/settings/connections.hpp"
#include "consumer/effects/effect_set/effect_set.hpp"
#include "consumer/store/erasure/erasable.hpp"
#include "consumer/store/erasure/erasure.hpp"
#include "ctl/cli/json.hpp"

namespace sluice::ctl {

/// A topic that holds records of events, and how long it keeps each.
struct ErasedTopic {
    std::string name;
    std::string holds;
    std::optional<std::int64_t> retention_ms;  ///< nullopt: Kafka did not say
};

/// An event or entry that still needs its request, and what ends it.
struct StillWaiting {
    std::string what;  ///< "event evt_1", "entry 4711"
    std::string standing;
    std::string ends_with;
};

/// What `sluicectl erase` would take, what it would leave and why. Pure.
struct ErasePlan {
    std::string object_key;
    store::Erasable found;
    std::vector<StillWaiting> waiting;  ///< the first of them; any refuses the erasure
    std::vector<ErasedTopic> topics;
    config::InboxSettings inbox;
};

/// A table that stays.
struct StaysLine {
    std::string where;
    std::string holds;
    std::string why;
};
[[nodiscard]] std::vector<StaysLine> what_stays(const ErasePlan& plan, const effects::EffectSet& effects);

[[nodiscard]] std::string to_people(const ErasePlan& plan, const std::vector<StaysLine>& stays);
[[nodiscard]] Json to_json(const ErasePlan& plan, const std::vector<StaysLine>& stays);

/// "EVENT STANDING ENDS WITH": empty where nothing waits.
[[nodiscard]] std::string to_people(const std::vector<StillWaiting>& waiting);

}  // namespace sluice::ctl
