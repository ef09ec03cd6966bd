#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/clock.hpp"
#include "poller/walk/place.hpp"

namespace sluice::poller {

/// One request for events, in the walk's words; a list turns it into the provider's.
struct Ask {
    enum class What : std::uint8_t {
        newest_before,  ///< a page of the newest of those created before `until`
        oldest_in,  ///< a page of those created in [from, until): the newest that stand before `id`; no id:
                    ///< the newest of all
        before,     ///< the same of all events: where a list cannot be asked by time
        behind,     ///< the page next to `id`, of newer events; no id: the oldest of all
        all_in,  ///< a page of those created in [from, until), in any order; then the one that `page` names
        one,     ///< whether the list knows `id`: a page without events
    };

    What what = What::behind;
    std::string id{};
    WallTime from{};
    WallTime until{};    ///< WallTime{}: without an end. Times are whole seconds
    std::string page{};  ///< the token of a page (Page::next); empty: the first
    int limit = 0;       ///< events at most

    bool operator==(const Ask&) const = default;
};

struct Listed {
    Place place;
    bool wanted = true;  ///< false: of a type that is filtered here; it counts as a place alone
};

/// An answer. Oldest first, whatever the provider's order; of `all_in`, within the page.
struct Page {
    std::vector<Listed> events{};
    bool has_more =
        false;  ///< there are more in the direction of the request: newer ones for `behind`, else older ones
    std::string next{};  ///< of `all_in`: the token of the next page; empty: there is none
};

}  // namespace sluice::poller
