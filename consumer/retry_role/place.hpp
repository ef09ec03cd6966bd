#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "consumer/lane/rules/lane.hpp"
#include "consumer/record/record.hpp"

namespace sluice::consumer {

/// A partition of one of the topics that the retry role reads.
struct Place {
    std::size_t topic = 0;  ///< its index in the role's list of topics
    std::int32_t partition = 0;

    auto operator<=>(const Place&) const = default;
};

/// What the records of a topic of the retry role are.
enum class RecordKind {
    wakeup,   ///< of a lane
    command,  ///< an operator's
};

/// A record of the retry role on its way through a worker. `record.at` has the generation of its place.
struct Touch {
    Place place;
    RecordKind kind = RecordKind::wakeup;
    Record record;
    std::optional<lane::Generation> wakeup;  ///< none: no wakeup of any generation
};

}  // namespace sluice::consumer
