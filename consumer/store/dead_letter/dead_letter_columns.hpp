#pragma once

#include <string_view>

#include "consumer/store/dead_letter/dead_letter_read.hpp"

/// From the columns of dead_letter, for the files that read it. A digest that is none throws
/// std::runtime_error: the table is not ours.
namespace sluice::store {

/// All but the record's headers and body.
inline constexpr std::string_view dead_letter_columns =
    "id, kind, lane_key, position, object_key, source, type, event_id, event_day, dedup_key, content_digest,"
    " error_class, error_text, attempts, first_failed_at, topic, partition_no, offset_no, seen_once, "
    "dlq_sent,"
    " opened_at, closed_at, closed_as, reference, transaction, COALESCE(first_died_at, opened_at)";

/// Of `dead_letter_columns`: without the record.
[[nodiscard]] DeadLetterRow dead_letter_from(const Row& columns);
/// Of `dead_letter_columns`, headers and body.
[[nodiscard]] DeadLetterRow whole_dead_letter_from(const Row& columns);

}  // namespace sluice::store
