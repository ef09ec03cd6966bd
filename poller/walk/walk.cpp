#include "poller/walk/walk.hpp"

#include <utility>

#include "poller/walk/walker.hpp"
#include "poller/walk/window_walker.hpp"

namespace sluice::poller {

std::unique_ptr<Walk> make_walk(Checkpoint from, const WalkRules& rules) {
    if (rules.by_token) return std::make_unique<WindowWalker>(std::move(from), rules);
    return std::make_unique<Walker>(std::move(from), rules);
}

}  // namespace sluice::poller
