#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "common/clock.hpp"
#include "poller/walk/walk.hpp"

namespace sluice::poller {

/// A seed's throws, the same everywhere (SplitMix64).
class Dice {
public:
    explicit Dice(std::uint64_t seed) : state_{seed} {}

    std::uint64_t any();
    /// From 0 to `most`.
    std::int64_t up_to(std::int64_t most) {
        return static_cast<std::int64_t>(any() % static_cast<std::uint64_t>(most + 1));
    }
    std::int64_t between(std::int64_t least, std::int64_t most) { return least + up_to(most - least); }
    /// One throw in `many`; 0: never.
    bool one_in(int many) { return many > 0 && up_to(many - 1) == 0; }

private:
    std::uint64_t state_;
};

struct Event {
    std::string id{};
    WallTime created{};     ///< whole seconds
    WallTime visible_at{};  ///< in the list
    WallTime webhook_at{};  ///< applied by a webhook, or never
    bool wanted = true;
};

struct Span {
    WallTime from;
    WallTime until;
};

/// What happens beside the pollers: all of it follows from the seed. Chances are "one step in so many", 0 for
/// never, and hold until `calm`.
struct History {
    std::uint64_t seed = 0;
    std::vector<Event> events{};  ///< in the list's order
    bool pages_go_up = false;     ///< by tokens: from the oldest events of a window to its newest
    WalkRules rules{};
    WallTime begin{};
    WallTime calm{};  ///< from here on nothing fails, nothing is created, and all is visible
    std::chrono::seconds interval{60};
    std::chrono::seconds since{0};  ///< 0: now
    std::chrono::seconds skew{0};   ///< how far the pollers' clock is ahead of the provider's
    bool says_date = true;
    bool says_retry_after = true;
    std::vector<Span> storms{};   ///< every request is answered 429
    std::vector<Span> outages{};  ///< no poller runs
    int crashes = 0;
    int pauses = 0;
    int bad_acks = 0;    ///< of records: some are in Kafka all the same
    int failures = 0;    ///< of requests
    int gone_ids = 0;    ///< known ids and tokens that the provider denies
    int bad_writes = 0;  ///< of rows: some are written all the same

    [[nodiscard]] bool is_calm_throughout() const {
        return crashes + pauses + bad_acks + failures + gone_ids + bad_writes == 0 && outages.empty();
    }
};

[[nodiscard]] History make_history(std::uint64_t seed);

}  // namespace sluice::poller
