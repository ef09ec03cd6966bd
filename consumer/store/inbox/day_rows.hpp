#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "common/crypto/digest.hpp"
#include "consumer/store/driver/connection.hpp"
#include "consumer/store/inbox/inbox.hpp"

/// All events of one day, for who compares them with a list. No locks.
namespace sluice::store {

struct DayRow {
    crypto::Digest dedup_key{};
    std::string event_id;
    std::string type;
    InboxStatus status = InboxStatus::done;
};

/// The next thousand rows of the day behind `after`, in the order of their keys; nullopt: from the first one
/// on. Empty: that was all.
[[nodiscard]] Result<std::vector<DayRow>> rows_of_day(Connection& connection, std::chrono::sys_days day,
                                                      const std::optional<crypto::Digest>& after);

}  // namespace sluice::store
