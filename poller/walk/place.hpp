#pragma once

#include <optional>
#include <string>

#include "common/clock.hpp"

namespace sluice::poller {

/// An event's place in its provider's list: what the list calls it, and when it was created by the provider's
/// clock, as the list says it.
struct Place {
    std::string id{};
    WallTime created{};

    bool operator==(const Place&) const = default;
};

/// How far a source was walked. Everything at or before `at`, and everything that was created before
/// `complete_until`, is in Kafka or was not asked for. MySQL keeps it. A new walk has no `at`, and
/// `complete_until` is the time from which events are wanted: by our own clock, rounded down. Where that is
/// ahead of the provider's, the walk sets it right.
struct Checkpoint {
    std::optional<Place> at{};
    WallTime complete_until{};  ///< whole seconds

    bool operator==(const Checkpoint&) const = default;
};

/// What may be missing, since the provider forgot it before it was read: events created in [from, until).
struct Gap {
    WallTime from{};
    WallTime until{};

    bool operator==(const Gap&) const = default;
};

}  // namespace sluice::poller
