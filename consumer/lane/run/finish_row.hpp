#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "consumer/store/dead_letter/dead_letter.hpp"
#include "consumer/store/inbox/inbox.hpp"
#include "consumer/store/lane/lane.hpp"

namespace sluice::consumer {

/// How an event of a lane ended.
struct RowEnd {
    store::InboxStatus status = store::InboxStatus::done;  ///< done, ignored or skipped
    store::ClosedAs dead_letters = store::ClosedAs::done;  ///< of its open dead letter, if there is one
    std::string_view had_effects{};  ///< of done and ignored: effects_text of what it had
};

/// Of an event whose effects are given up: skipped, or, of a rerun, as it was before; `had`: see
/// store::StoredRecord.
[[nodiscard]] RowEnd end_without_effects(const std::optional<std::vector<std::string>>& had,
                                         store::ClosedAs dead_letters) noexcept;

/// Inside the transaction that holds the lane, which the caller ends with `store::write_lane`: the row goes,
/// its inbox row and its dead letters say how it ended. errc::unlisted_row_count where a row that must be
/// there is not: the caller rolls back.
[[nodiscard]] Result<void> finish_row(store::Connection& connection, store::LockedLane& lane,
                                      lane::Position position, const std::optional<store::InboxKey>& inbox,
                                      const RowEnd& end, WallTime now);

}  // namespace sluice::consumer
