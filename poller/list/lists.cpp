#include <algorithm>
#include <array>

#include "poller/list/known_lists.hpp"

namespace sluice::poller {

std::span<const EventList* const> all_lists() {
    static const std::array lists{&stripe_list(), &stripe_thin_list(), &gocardless_list(), &paddle_list()};
    return lists;
}

const EventList* list_of(std::string_view recipe, std::string_view name) {
    const auto lists = all_lists();
    const auto found = std::ranges::find_if(lists, [&](const EventList* list) {
        return list->facts().recipe == recipe && list->facts().name == name;
    });
    return found == lists.end() ? nullptr : *found;
}

}  // namespace sluice::poller
