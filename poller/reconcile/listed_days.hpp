#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "common/clock.hpp"
#include "common/crypto/digest.hpp"
#include "consumer/store/inbox/day_rows.hpp"
#include "consumer/store/inbox/inbox.hpp"
#include "poller/reconcile/window.hpp"

/// What the inbox says of events of a list, and the list of rows of the inbox: pure.
namespace sluice::poller {

/// Whose events are compared.
struct ListedAccount {
    std::string provider;
    std::string principal;
};

enum class Standing : std::uint8_t {
    here,
    not_applied,  ///< here, and it waits or is dead
    missing,
    too_old,  ///< not here, and the inbox no longer knows of that day: it may have been applied
};
/// `known`: what the inbox has under the event's key; nullptr: nothing.
[[nodiscard]] Standing standing_of(const store::InboxKey& key, const store::KnownEvent* known,
                                   std::optional<std::chrono::sys_days> dropped_before);

/// The keys that a list had, day by day, and which rows of the inbox it should have had.
class ListedDays {
public:
    explicit ListedDays(ListedAccount account) : account_{std::move(account)} {}

    /// An event of the list. `created`: its place there. Whether it is new: a list whose reading goes on by
    /// time has events again, of a day that is not forgotten.
    [[nodiscard]] bool saw(const store::InboxKey& key, bool livemode, WallTime created);
    /// Why its rows cannot be compared with the list, as a sentence; empty: they can. Of a day that was read.
    [[nodiscard]] std::string why_not_compared() const;
    /// Whether the list should have that row of the day and has not. A row of another account's, or of the
    /// other mode (test or live), is none of its: the row's key says so, whichever source it came by.
    [[nodiscard]] bool lacks(std::chrono::sys_days day, const store::DayRow& row) const;
    /// That day is done with.
    void forget(std::chrono::sys_days day) { keys_.erase(day); }

private:
    struct Hash {
        std::size_t operator()(const crypto::Digest& digest) const noexcept;
    };

    ListedAccount account_;
    std::map<std::chrono::sys_days, std::unordered_set<crypto::Digest, Hash>> keys_;
    std::optional<bool> livemode_;  // of the list: all of its events are of one mode
    bool has_both_modes_ = false;
    bool has_other_days_ = false;
};

}  // namespace sluice::poller
