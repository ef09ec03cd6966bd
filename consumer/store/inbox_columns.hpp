#pragma once

#include <string>

#include "common/crypto/digest.hpp"
#include "consumer/store/connection.hpp"
#include "consumer/store/inbox.hpp"

/// From and to the columns of `inbox`, for the files that read it. A column that is not what the migration
/// made it throws std::runtime_error: the table is not ours.
namespace sluice::store {

[[nodiscard]] crypto::Digest digest_column(const OwnedDatum& column);
[[nodiscard]] std::string text_column(const OwnedDatum& column);  ///< empty for NULL
[[nodiscard]] InboxStatus status_column(const OwnedDatum& column);
[[nodiscard]] DlqRecord dlq_column(const OwnedDatum& column);
[[nodiscard]] Datum dlq_datum(DlqRecord record) noexcept;

}  // namespace sluice::store
