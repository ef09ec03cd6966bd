#pragma once

#include <optional>
#include <vector>

#include "ingress/verify/json_view.hpp"

namespace sluice::verify {

/// A field that holds an instant. An integer is unix seconds, a string is RFC 3339; what the recipe
/// does not list makes the body unreadable. A missing field or null is no instant, not an error.
struct TimeField {
    Pointer pointer;
    bool as_unix = false;
    bool as_rfc3339 = false;

    [[nodiscard]] bool operator==(const TimeField& other) const {
        return pointer.text() == other.pointer.text() && as_unix == other.as_unix &&
               as_rfc3339 == other.as_rfc3339;
    }
};

/// One place where the object's id may stand. An expanded object counts by its id.
struct ObjectField {
    Pointer value;
    Pointer expanded_id;  ///< value + "/id"
};

/// Which parts of a body say that two deliveries have the same content, the first alternative that
/// is wholly present (null counts as absent). An empty list of parts is `none`: the id alone.
using DigestParts = std::vector<Pointer>;

/// Where an event's facts stand in its body.
struct Extraction {
    Pointer id;
    Pointer type;
    std::vector<ObjectField> order_by;  ///< the first that holds a non-empty string
    std::optional<TimeField> time;
    std::optional<TimeField> day;  ///< constant over redeliveries; nothing: the undated bucket
    bool day_is_time = false;      ///< both are the same field, read once
    std::optional<Pointer> livemode;
    bool livemode_if_absent = true;
    std::vector<DigestParts> digest;
};

}  // namespace sluice::verify
