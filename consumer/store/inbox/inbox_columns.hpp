#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/clock.hpp"
#include "common/crypto/digest.hpp"
#include "consumer/store/driver/connection.hpp"
#include "consumer/store/inbox/inbox.hpp"

/// From and to the columns of `inbox`, for the files that read it and tables like it. A column that is not
/// what the migration made it throws std::runtime_error: the table is not ours.
namespace sluice::store {

[[nodiscard]] crypto::Digest digest_column(const OwnedDatum& column);
/// The columns that `inbox_row` reads, the first of a row.
inline constexpr std::string_view inbox_columns =
    "inbox.event_day, inbox.dedup_key, content_digest, source, event_id, type, object_key, status, topic,"
    " partition_no, offset_no, received_at, finished_at, dlq_sent, error_class, error_text, had_effects, "
    "reference, transaction";
[[nodiscard]] InboxRow inbox_row(const Row& columns);

[[nodiscard]] std::string text_column(const OwnedDatum& column);  ///< empty for NULL
[[nodiscard]] std::optional<WallTime> time_column(const OwnedDatum& column);
[[nodiscard]] std::optional<std::int64_t> number_or_none(const OwnedDatum& column);  ///< none for NULL
[[nodiscard]] InboxStatus status_column(const OwnedDatum& column);
[[nodiscard]] DlqRecord dlq_column(const OwnedDatum& column);
[[nodiscard]] Datum dlq_datum(DlqRecord record) noexcept;
[[nodiscard]] Datum time_datum(const std::optional<WallTime>& time) noexcept;
[[nodiscard]] Datum digest_datum(const crypto::Digest& digest) noexcept;  ///< a view of it
/// What people read: cut at `limit`, NULL when empty.
[[nodiscard]] Datum bytes_or_null(std::string_view text, std::size_t limit) noexcept;
[[nodiscard]] Datum whole_or_null(std::string_view text) noexcept;  ///< NULL when empty

}  // namespace sluice::store
