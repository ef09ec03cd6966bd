#include "ingress/connection/deadlines.hpp"

#include <utility>

namespace sluice::connection {

void Deadline::set(SteadyTime at) {
    at_ = at;
    passed_ = false;
    if (!is_linked()) deadlines_.all_.push_back(*this);
}

void Deadline::clear() noexcept {
    passed_ = false;
    unlink();
}

void Deadlines::sweep(SteadyTime now) {
    for (auto next = all_.begin(); next != all_.end();) {
        Deadline& deadline = *next++;
        if (deadline.at_ > now) continue;
        const bool again = std::exchange(deadline.passed_, true);
        deadline.on_passed_(again);
    }
}

}  // namespace sluice::connection
