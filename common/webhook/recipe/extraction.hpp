#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/webhook/body/json_view.hpp"
#include "common/webhook/recipe/fact.hpp"

namespace sluice::webhook {

/// A field or a header that holds an instant. An integer is unix time, a string is RFC 3339, or unix time
/// as digits; a form that the recipe does not list makes the body unreadable. A missing field or null is
/// no instant, not an error.
struct TimeField {
    Fact at;
    bool as_unix = false;
    bool as_unix_ms = false;
    bool as_rfc3339 = false;
    bool as_compact = false;  ///< 20261121184631, in `zone`
    std::string zone{};  ///< of texts without one, with a space for the T; an empty text is no instant then

    [[nodiscard]] bool operator==(const TimeField&) const = default;
};

/// One place where the object's id may stand. An expanded object counts by its id.
struct ObjectField {
    Joined value;
    Pointer expanded_id;  ///< of one pointer: value + "/id"
};

/// Which parts of a body say that two deliveries have the same content, the first alternative that
/// is wholly present (null counts as absent). An empty list of parts is `none`: the id alone; the pointer
/// to the whole document is the whole body.
using DigestParts = std::vector<Pointer>;

/// Where the events of one delivery lie.
struct ItemsRule {
    Pointer at;                     ///< the array
    std::optional<Pointer> inside;  ///< of each element; nothing: the element itself
    bool each_signed = false;       ///< each item has its own signature, and all must be right
};

/// Of a form: all fields but these say it.
struct FieldsDigest {
    std::vector<std::string> all_but;
    bool skip_blank = false;
};

/// Where an event's facts stand.
struct Extraction {
    Facts id;
    Facts type;
    std::vector<ObjectField> order_by;  ///< the first that holds a non-empty text
    std::vector<TimeField> time;        ///< the first that holds an instant
    std::vector<TimeField> day;         ///< constant over redeliveries; nothing: the undated bucket
    bool day_is_time = false;           ///< both are the same, read once
    std::optional<Pointer> livemode;    ///< where a boolean or a text says it
    std::string livemode_setting;       ///< of the source, instead of it; compiled into livemode_if_absent
    std::string live_text;              ///< the text that means live; empty: a boolean
    bool means_test = false;            ///< true, or live_text, means test
    bool livemode_if_absent = true;
    bool livemode_is_of_delivery = false;  ///< of the whole body, not of one item
    std::optional<ItemsRule> items;        ///< facts are those of one item
    std::string delivery;  ///< header with the provider's id of a delivery, which is not signed; or empty
    std::vector<DigestParts> digest;
    std::optional<FieldsDigest> fields_digest;  ///< instead of `digest`
};

}  // namespace sluice::webhook
