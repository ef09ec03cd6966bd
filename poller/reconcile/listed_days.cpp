#include "poller/reconcile/listed_days.hpp"

#include <cstring>

#include "common/record/event_record.hpp"

namespace sluice::poller {

Standing standing_of(const store::InboxKey& key, const store::KnownEvent* known,
                     std::optional<std::chrono::sys_days> dropped_before) {
    if (known != nullptr) return store::is_unfinished(known->status) ? Standing::not_applied : Standing::here;
    const bool is_dated = key.event_day != record::undated;
    return is_dated && dropped_before && key.event_day < *dropped_before ? Standing::too_old
                                                                         : Standing::missing;
}

std::size_t ListedDays::Hash::operator()(const crypto::Digest& digest) const noexcept {
    std::size_t start = 0;
    std::memcpy(&start, digest.data(), sizeof start);
    return start;
}

bool ListedDays::saw(const store::InboxKey& key, bool livemode, WallTime created) {
    has_both_modes_ = has_both_modes_ || livemode_.value_or(livemode) != livemode;
    livemode_ = livemode;
    has_other_days_ = has_other_days_ || key.event_day != std::chrono::floor<std::chrono::days>(created);
    return keys_[key.event_day].insert(key.dedup_key).second;
}

std::string ListedDays::why_not_compared() const {
    if (!livemode_) return "the list had no event that says whether it is of live or of test mode";
    if (has_both_modes_) return "the list has events of live and of test mode";
    if (has_other_days_) return "the list goes by other times than the inbox";
    return {};
}

bool ListedDays::lacks(std::chrono::sys_days day, const store::DayRow& row) const {
    const auto key =
        record::dedup_key(account_.provider, account_.principal, livemode_.value_or(true), row.event_id);
    if (key != row.dedup_key) return false;
    const auto listed = keys_.find(day);
    return listed == keys_.end() || !listed->second.contains(row.dedup_key);
}

}  // namespace sluice::poller
