#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "common/clock.hpp"
#include "consumer/store/driver/connection.hpp"
#include "consumer/store/inbox/inbox.hpp"

/// The tables `reconciliation` and `reconciliation_missing`: what each comparison of a list with the inbox
/// found. A run writes them as it goes; only `end_reconciliation` says that it looked at all. Views live
/// until the call returns.
namespace sluice::store {

enum class ReconciliationKind : std::uint8_t { once, file, continuous };

struct ReconciliationStart {
    std::string_view id;  ///< 32 hex digits
    std::string_view source;
    std::string_view provider;
    std::string_view principal;
    ReconciliationKind kind = ReconciliationKind::once;
    bool applies = false;
    std::optional<WallTime> from;  ///< of events of a list
    std::optional<WallTime> until;
    std::string_view operator_name;  ///< empty: nobody gave an order
    std::string_view reason;
};

struct ReconciliationCounts {
    std::int64_t listed = 0;
    std::int64_t missing = 0;
    std::int64_t injected = 0;
    std::int64_t not_applied = 0;
    std::optional<std::int64_t> not_there;  ///< nullopt: not compared

    bool operator==(const ReconciliationCounts&) const = default;
};

struct MissingRow {
    InboxKey key;
    std::string_view event_id;
    std::string_view type;  ///< empty: not known
    std::optional<WallTime> created;
};

[[nodiscard]] Result<void> begin_reconciliation(Connection& connection, const ReconciliationStart& start);

/// What is missing, before any of it is injected; outside a transaction. An event that is noted already stays
/// as it is.
[[nodiscard]] Result<void> note_missing(Connection& connection, std::string_view id,
                                        std::span<const MissingRow> rows);
/// Kafka has it.
[[nodiscard]] Result<void> note_injected(Connection& connection, std::string_view id, const InboxKey& key);

[[nodiscard]] Result<void> write_counts(Connection& connection, std::string_view id,
                                        const ReconciliationCounts& counts);
/// The run has looked at all.
[[nodiscard]] Result<void> end_reconciliation(Connection& connection, std::string_view id,
                                              const ReconciliationCounts& counts);

struct LastReconciliation {
    ReconciliationCounts counts;
    std::chrono::microseconds ago{};  ///< since it ended, by the server's clock
};
/// The last of the regular ones of this source that looked at all.
[[nodiscard]] Result<std::optional<LastReconciliation>> last_regular(Connection& connection,
                                                                     std::string_view source);

inline constexpr std::chrono::days reconciliations_kept{90};
/// Deletes runs that are older, the oldest twenty at most.
[[nodiscard]] Result<void> forget_reconciliations(Connection& connection);

}  // namespace sluice::store
