#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "poller/list/event_list.hpp"

/// What lists share: an answer is an object with an array of events.
namespace sluice::poller {

/// Pointers that are literals.
struct PageForm {
    std::string_view events;   ///< the array
    std::string_view more;     ///< a boolean, or the next page's cursor and null where there is none
    std::string_view id;       ///< of an event, as are the next
    std::string_view created;  ///< whole seconds since 1970, or RFC 3339
    std::vector<std::string_view> type;  ///< joined by a dot, as in the recipe
    bool newest_first = true;            ///< as the provider writes them
    bool by_token =
        false;  ///< they stand in any order, and `more` names the next page, with events or without
};

/// As EventList::read.
[[nodiscard]] Result<RawPage> read_page(const PageForm& form, const Wanted& wanted, std::string_view body,
                                        webhook::JsonView& view);

/// The text at the pointer; empty where there is none. Of an answer that is no page, and perhaps no JSON.
[[nodiscard]] std::string word_of(std::string_view at, std::string_view body, webhook::JsonView& view);

/// Of a status outside 2xx, whoever answers. A redirect is `refused`: none is followed.
[[nodiscard]] Fault fault_of(int status) noexcept;

}  // namespace sluice::poller
