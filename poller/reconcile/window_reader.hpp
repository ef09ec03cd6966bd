#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "common/backoff.hpp"
#include "common/clock.hpp"
#include "poller/config/poll_settings.hpp"
#include "poller/pace/tries.hpp"
#include "poller/run/account.hpp"
#include "poller/run/page_reader.hpp"
#include "poller/telemetry/walk_metrics.hpp"
#include "poller/walk/walk.hpp"

namespace sluice::poller {

/// Reads one source's list forward from a time on, oldest event first, as a walk does: the same requests,
/// budget and retries. It has no lease and no checkpoint, so that any number may read. One thread's.
class WindowReader {
public:
    /// All outlive it. std::runtime_error where libcurl lacks what it needs.
    WindowReader(const PollSettings& poll, Account& account, WalkMetrics& metrics, const Clock& clock,
                 WallTime from);

    struct Events {
        RawPage page;                       ///< views live until the next call
        std::vector<std::size_t> wanted;    ///< those of the page that have a place and a type that is wanted
        std::vector<std::size_t> unplaced;  ///< those that are wanted and have no place
        WallTime newest{};                  ///< all that was created before was read; {}: not known
    };
    /// The next page, perhaps without events; an event may come again, where the provider forgets its place
    /// meanwhile. nullopt: the list has no more. Throws BrokenOff where requests fail after all retries, and
    /// when it is stopped.
    [[nodiscard]] std::optional<Events> next(const std::stop_token& stop);
    /// When the last answer was asked for: the provider's time, or somewhat earlier.
    [[nodiscard]] WallTime asked_at() const { return asked_at_; }

private:
    struct Answered {
        Ask::What to;
        ReadPage read;
    };
    [[nodiscard]] Answered page(const std::stop_token& stop);
    void failed(const NoPage& why, const std::stop_token& stop);

    const PollSettings& poll_;
    Account& account_;
    const Clock& clock_;
    PageReader reader_;
    std::unique_ptr<Walk> walk_;
    Tries tries_;
    Random random_;
    WallTime asked_at_{};
};

}  // namespace sluice::poller
