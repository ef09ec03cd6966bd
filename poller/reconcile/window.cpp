#include "poller/reconcile/window.hpp"

#include <string_view>

namespace sluice::poller {
namespace {

using std::chrono::days;
using std::chrono::seconds;

/// When a provider forgets, and how long a run takes to get there, are known no better.
constexpr std::chrono::hours forgotten_within{1};
constexpr std::string_view end_was_cut =
    "its end was cut: younger events may not be listed yet, or still be on their way";

/// A day more than what is gone: the next one may go while the run and the consumer are at it.
std::chrono::sys_days kept_since(WallTime now, const Keeping& keeping) {
    const auto by_keep = std::chrono::floor<days>(now) - keeping.inbox;
    return std::max(by_keep, keeping.dropped_before.value_or(by_keep)) + days{1};
}

}  // namespace

void cut_end(CutWindow& cut, WallTime now, seconds overlap) {
    const WallTime settled = std::chrono::floor<seconds>(now - settling_time(overlap));
    if (cut.window.until <= settled) return;
    cut.window.until = settled;
    if (!std::ranges::contains(cut.cuts, end_was_cut)) cut.cuts.emplace_back(end_was_cut);
}

CutWindow cut(const Window& asked, WallTime now, const Keeping& keeping) {
    CutWindow result{asked, {}};
    cut_end(result, now, keeping.overlap);
    Window& window = result.window;
    const auto begin = [&](WallTime at, std::string_view why) {
        window.from = at;
        result.cuts.emplace_back(why);
    };
    const WallTime listed = std::chrono::ceil<seconds>(now - keeping.retention + forgotten_within);
    if (window.from < listed)
        begin(listed, "its beginning was cut: the provider may have forgotten older events");
    const WallTime kept = kept_since(now, keeping);
    if (window.from < kept)
        begin(kept, "its beginning was cut: the inbox no longer knows whether older events were applied");
    return result;
}

}  // namespace sluice::poller
