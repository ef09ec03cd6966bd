#include "poller/walk/recent.hpp"

#include <iterator>

namespace sluice::poller {

void Recent::keep(std::string_view id) {
    if (knows(id)) return;
    if (ids_.size() >= most_) forget(ids_.front());
    ids_.emplace_back(id);
    found_.emplace(ids_.back(), std::prev(ids_.end()));
}

void Recent::forget(std::string_view id) {
    const auto found = found_.find(id);
    if (found == found_.end()) return;
    const auto where = found->second;
    found_.erase(found);
    ids_.erase(where);
}

}  // namespace sluice::poller
