#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "consumer/store/dead_letter/dead_letter.hpp"

/// Entries of dead_letter as they stand, for the retry role and for people. No locks: a caller that changes
/// an entry afterwards does so in a statement that checks closed_at again.
namespace sluice::store {

/// A row of dead_letter, its own memory.
struct DeadLetterRow {
    std::int64_t id = 0;
    DeadLetterKind kind = DeadLetterKind::dead;
    std::optional<LanePlace> place;  ///< of those that hold a lane
    std::string object_key;          ///< the record's key, cut; empty: it had none
    std::string source;
    std::string type;
    std::string event_id;
    std::optional<InboxKey> inbox;
    std::optional<crypto::Digest> content_digest;
    std::string error_class;
    std::string error_text;
    int attempts = 0;
    WallTime first_failed_at{};
    std::string topic;
    std::int32_t partition = 0;
    std::int64_t offset = 0;
    std::optional<crypto::Digest> seen_once;  ///< of entries without a lane
    bool dlq_sent = false;
    WallTime opened_at{};
    WallTime first_died_at{};           ///< opened_at, or that of the first entry if a retry died again
    std::optional<WallTime> closed_at;  ///< none: it is open
    std::optional<ClosedAs> closed_as;
    std::string reference{};             ///< the merchant's order number; empty: none is known
    std::string transaction{};           ///< the provider's number
    std::optional<std::string> headers;  ///< record::headers_from; none: the lane has the record
    std::optional<std::string> body;

    [[nodiscard]] bool is_open() const noexcept { return !closed_at; }
};

/// The whole entry; nullopt: there is none of that id.
[[nodiscard]] Result<std::optional<DeadLetterRow>> find_dead_letter(Connection& connection, std::int64_t id);

/// The entry of a record that has no row in a lane; `seen_once` as in DeadLetterRecord.
[[nodiscard]] Result<std::optional<DeadLetterRow>> find_dead_letter_of_record(
    Connection& connection, const crypto::Digest& seen_once);

}  // namespace sluice::store
