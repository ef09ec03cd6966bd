#include "poller/list/wanted.hpp"

#include <algorithm>

#include "common/webhook/recipe/type_name.hpp"

namespace sluice::poller {

bool Wanted::takes(std::string_view type) const noexcept {
    if (types.empty() || type.empty()) return true;
    return std::ranges::any_of(types,
                               [type](std::string_view wanted) { return webhook::means_type(wanted, type); });
}

bool Wanted::is_named(std::size_t most) const noexcept {
    return !types.empty() && types.size() <= most &&
           std::ranges::none_of(types, [](std::string_view type) { return type.ends_with('*'); });
}

}  // namespace sluice::poller
