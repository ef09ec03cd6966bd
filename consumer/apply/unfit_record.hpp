#pragma once

#include <string>
#include <string_view>

#include "consumer/apply/event.hpp"
#include "consumer/store/dead_letter/dead_letter.hpp"
#include "consumer/store/driver/connection.hpp"

namespace sluice::consumer {

/// Which record an entry is of, however often it is delivered: SHA-256 over topic id, partition, offset and,
/// where it is known, leader epoch. A log that was cut gives the offset to another record, of a higher epoch.
[[nodiscard]] crypto::Digest seen_once(std::string_view topic_id, const Record& record);

/// A record that gets an entry for on-call and no place in a lane: nothing waits for it.
struct UnfitRecord {
    const Item& item;  ///< its payment is noted
    store::DeadLetterKind kind = store::DeadLetterKind::conflict;
    std::string_view reason;
    std::string_view topic;
    std::string_view topic_id;
};

struct Entry {
    std::int64_t id = 0;
    bool is_new = false;
};
/// Its entry, which is opened unless it is there; its DLQ record may be owed. In its own transaction.
[[nodiscard]] Result<Entry> open_entry(const UnfitRecord& record, store::Connection& connection,
                                       WallTime now);

}  // namespace sluice::consumer
