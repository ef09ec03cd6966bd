#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "common/clock.hpp"
#include "consumer/store/dead_letter/operator_action.hpp"
#include "consumer/store/driver/connection.hpp"
#include "consumer/store/inbox/inbox.hpp"

/// What is erased of an object, and the record of it (deploy/mysql/0005_operator_action.sql).
///
/// Each `erase_…` runs in its own transaction and counts what it took in the erasure's row. If the process is
/// killed between two of them, the row says what went, and the same order goes on with the rest. They lock
/// inbox rows before their payloads, as the main role does, and never a lane.
namespace sluice::store {

/// Replaces the words of people and servers.
inline constexpr std::string_view erased_word = "erased";
/// The most rows of one transaction; the caller splits.
inline constexpr std::size_t erasure_chunk = 500;

/// Who asks for an erasure, and why. The views live until `begin_erasure` returns; texts are cut at the
/// columns' sizes.
struct ErasureOrder {
    std::string_view object_key;
    std::string_view operator_name;
    std::string_view reason;
    std::string_view host;
    WallTime begun_at{};
};

struct Erasure {
    std::int64_t id = 0;
    std::string operator_name;
    WallTime at{};             ///< its end, or its begin if it was broken off
    bool is_finished = false;  ///< false: it was broken off, or events came meanwhile
};

/// Rows that lost something.
struct ErasedRows {
    std::int64_t payloads = 0;
    std::int64_t inbox_rows = 0;
    std::int64_t dead_letters = 0;
    std::int64_t actions = 0;
    std::int64_t callbacks = 0;
};

/// Returns the erasure's id.
[[nodiscard]] Result<std::int64_t> begin_erasure(Connection& connection, const ErasureOrder& order);
[[nodiscard]] Result<void> finish_erasure(Connection& connection, std::int64_t id, WallTime now);
[[nodiscard]] Result<ErasedRows> rows_of_erasure(Connection& connection, std::int64_t id);

/// Erases archived requests of events of one day, and in their inbox rows what errors said and the numbers of
/// payments, and their messages. Events that
/// are not finished (a rerun was faster) or have a message that is not sent keep theirs. The inbox rows stay:
/// without them a redelivery is a new event.
[[nodiscard]] Result<void> erase_events(Connection& connection, std::int64_t id, std::chrono::sys_days day,
                                        std::span<const crypto::Digest> dedup_keys);

/// Erases headers, bodies, what errors said and the numbers of payments, of closed entries.
[[nodiscard]] Result<void> erase_dead_letters(Connection& connection, std::int64_t id,
                                              std::span<const std::int64_t> dead_letters);

/// Erases the reasons that operators gave.
[[nodiscard]] Result<void> erase_actions(Connection& connection, std::int64_t id,
                                         std::span<const ActionId> actions);

/// Erases what callbacks of the object keep of their requests, from at most `erasure_chunk` of them. Whether
/// there were any.
[[nodiscard]] Result<bool> erase_callbacks(Connection& connection, std::int64_t id,
                                           std::string_view object_key);

/// The last erasure of the object that ended at `since` or later, or began then and was broken off. An event
/// that was finished by `since` may have lost its request to it. No locks.
[[nodiscard]] Result<std::optional<Erasure>> erased_since(Connection& connection, std::string_view object_key,
                                                          WallTime since);

}  // namespace sluice::store
