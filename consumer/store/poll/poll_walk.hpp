#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "common/clock.hpp"
#include "common/crypto/digest.hpp"
#include "consumer/store/driver/connection.hpp"

/// The table `poll_walk`: how far each provider's list of events has been read, and which process may go on.
/// The holder of a source's lease walks. Each write names the lease's fence and holder, so a process that was
/// paused or cut off and has lost the lease changes nothing. Leases run by the server's clock.
namespace sluice::store {

/// Whose list it is. A source's name may go to another account in the configuration, its row does not.
struct WalkKey {
    std::string_view source;
    std::string_view provider;
    std::string_view principal;
};

/// An event of the list: what is behind it is read next.
struct WalkPlace {
    std::string id;
    WallTime created{};  ///< by the provider's clock
};

/// What may be missing: created in [from, until).
struct WalkGap {
    WallTime from{};
    WallTime until{};
};

struct PollWalk {
    std::optional<WalkPlace> at;  ///< all up to it is in Kafka; nullopt: by time alone
    WallTime complete_until{};    ///< all that was created before is in Kafka
    std::string page_token;       ///< empty: none
    crypto::Digest types_digest{};
    std::optional<WalkGap> gap;  ///< until an operator clears it; see `note_gap`
};

struct Lease {
    std::int64_t fence = 0;
    std::string holder;
};

struct LeaseTaken {
    Lease lease;
    PollWalk walk;
};
/// Another process has the lease.
struct LeaseHeld {};
/// The row under this source's name is another account's: its checkpoint means nothing in ours.
struct OtherAccount {
    std::string provider;
    std::string principal;
};
using LeaseAnswer = std::variant<LeaseTaken, LeaseHeld, OtherAccount>;

/// Takes the lease for `time` if it is free or `holder` has it already, and reads the row; makes the row from
/// `first` if there is none. `holder`: at most 64 bytes, of this process alone. Outside a transaction.
/// After an error of class connection the lease may be ours all the same: ask again.
[[nodiscard]] Result<LeaseAnswer> take_lease(Connection& connection, const WalkKey& key,
                                             const PollWalk& first, std::string_view holder,
                                             Milliseconds time);

// Each is one UPDATE, in the caller's transaction if there is one. False: another process has the lease now
// and nothing was written; take the lease again and continue from the row that comes with it. A lease that
// ran out stays ours until somebody takes it. After an error of class connection the UPDATE may have
// happened.

/// All that `to` covers is in Kafka. Renews the lease. `to.gap` is not written.
[[nodiscard]] Result<bool> move_walk(Connection& connection, std::string_view source, const Lease& lease,
                                     const PollWalk& to, Milliseconds time);
/// For `time` from now on.
[[nodiscard]] Result<bool> renew_lease(Connection& connection, std::string_view source, const Lease& lease,
                                       Milliseconds time);
/// Widens the gap that is there to one that has both. In a transaction of the caller's, with the move that
/// goes past it.
[[nodiscard]] Result<bool> note_gap(Connection& connection, std::string_view source, const Lease& lease,
                                    const WalkGap& gap);
/// Others can take it at once.
[[nodiscard]] Result<bool> release_lease(Connection& connection, std::string_view source, const Lease& lease);

}  // namespace sluice::store
