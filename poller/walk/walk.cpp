#include "poller/walk/walk.hpp"

#include <utility>

#include "poller/walk/walker.hpp"
#include "poller/walk/window_walker.hpp"

namespace sluice::poller {
namespace {

/// When a provider forgets, and when it read the list for us, are known no better.
constexpr std::chrono::hours retention_known_to{1};

}  // namespace

/// It is walked all the same: some of it may be there.
void note_gap(std::optional<Gap>& found, WallTime from, WallTime asked_at, std::chrono::days retention) {
    const WallTime known = whole_seconds(asked_at - retention + retention_known_to);
    if (from < known) found = Gap{.from = found ? found->from : from, .until = known};
}

std::unique_ptr<Walk> make_walk(Checkpoint from, const WalkRules& rules) {
    if (rules.by_token) return std::make_unique<WindowWalker>(std::move(from), rules);
    return std::make_unique<Walker>(std::move(from), rules);
}

}  // namespace sluice::poller
