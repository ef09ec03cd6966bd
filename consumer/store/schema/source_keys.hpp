#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/clock.hpp"
#include "common/record/source_keys.hpp"
#include "consumer/store/driver/connection.hpp"

/// What keys of events are made of, as first recorded or accepted since (deploy/mysql/0001_inbox.sql).
namespace sluice::store {

struct RecordedKeys {
    record::SourceKeys keys;
    WallTime recorded_at{};
    std::string operator_name;  ///< who accepted them; empty: no operator, they are the first
};

/// In the order of their paths.
[[nodiscard]] Result<std::vector<RecordedKeys>> recorded_keys(Connection& connection);

/// Records what `configured` has and MySQL does not. If `configured` contradicts what is recorded, returns
/// the changes and writes nothing. If two processes with different files come first at the same moment, one
/// file is recorded, and the process with the other gets the changes. Outside a transaction.
[[nodiscard]] Result<std::vector<record::KeyChange>> agree_on_keys(
    Connection& connection, std::span<const record::SourceKeys> configured, WallTime now);

/// Who accepts keys, and why.
struct KeysAccepted {
    std::string_view operator_name;  ///< cut at 128 bytes
    std::string_view reason;         ///< cut at 1024
    WallTime at{};
};

/// Replaces what is recorded for these paths and for their accounts, in one transaction.
[[nodiscard]] Result<void> accept_keys(Connection& connection, std::span<const record::SourceKeys> accepted,
                                       const KeysAccepted& by);

/// Counts the objects of this account with events that are not finished.
[[nodiscard]] Result<std::int64_t> count_unfinished_objects(Connection& connection, std::string_view provider,
                                                            std::string_view principal);

}  // namespace sluice::store
