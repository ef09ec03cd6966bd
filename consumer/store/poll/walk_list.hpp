#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/clock.hpp"
#include "consumer/store/driver/connection.hpp"
#include "consumer/store/poll/poll_walk.hpp"

/// The table `poll_walk` as operators see and change it (`sluicectl poll`). A change takes the lease from the
/// poller that has it, so that nothing which that one has in mind is written over it; it takes the lease
/// again and goes on from the row.
namespace sluice::store {

struct ListedWalk {
    std::string source;
    std::string provider;
    std::string principal;
    std::string at_id;  ///< empty: it goes on by time
    WallTime complete_until{};
    std::optional<WallTime> moved_at;
    bool is_leased = false;
    std::optional<WalkGap> gap;
    std::string operator_name;  ///< who changed it by hand last; empty: nobody
    std::string reason;
};

/// By their sources' names.
[[nodiscard]] Result<std::vector<ListedWalk>> listed_walks(Connection& connection);

/// Who changes a walk, and why.
struct WalkChange {
    std::string_view operator_name;  ///< cut at 128 bytes
    std::string_view reason;         ///< cut at 1024
};

// Each is one UPDATE. False: the row is not as it was seen, and nothing was written.

/// What may have been missing in `gap` is dealt with.
[[nodiscard]] Result<bool> clear_gap(Connection& connection, std::string_view source, const WalkGap& gap,
                                     const WalkChange& by);
/// The provider has forgotten the event of the checkpoint: the walk goes on from its time.
[[nodiscard]] Result<bool> forget_place(Connection& connection, std::string_view source,
                                        std::string_view at_id, const WalkChange& by);

}  // namespace sluice::store
