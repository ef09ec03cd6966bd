#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/clock.hpp"
#include "common/crypto/digest.hpp"
#include "common/record/event_record.hpp"
#include "consumer/store/driver/connection.hpp"

/// The table that makes an event count once (deploy/mysql/0001_inbox.sql). All functions run inside
/// the caller's transaction where there is one, and never commit or roll back.
namespace sluice::store {

/// The primary key. Undated events have record::undated as their day.
struct InboxKey {
    std::chrono::sys_days event_day = record::undated;
    crypto::Digest dedup_key{};

    auto operator<=>(const InboxKey&) const = default;
};

/// rerun: done or ignored before; effects that it had not wait in its lane. newer: of a newer release. Such
/// an event is known, and this program does not touch it.
enum class InboxStatus { done, ignored, dead, retry, deferred, parked, skipped, rerun, newer };

[[nodiscard]] std::string_view name_of(InboxStatus status) noexcept;
[[nodiscard]] std::optional<InboxStatus> inbox_status_from(std::string_view name) noexcept;
/// Its row may still be changed by `change_unfinished`.
[[nodiscard]] bool is_unfinished(InboxStatus status) noexcept;

/// The column dlq_sent: a dead event owes a DLQ record until its delivery report was seen.
enum class DlqRecord { none, owed, sent };

/// A row to insert. The views live until `insert` returns. object_key is cut at 512 bytes, error_class at
/// 64 and error_text at 1024, had_effects, reference and
/// transaction never.
struct InboxEntry {
    InboxKey key;
    crypto::Digest content_digest{};
    std::string_view source;
    std::string_view event_id;
    std::string_view type;
    std::string_view object_key;  ///< the record's key
    InboxStatus status = InboxStatus::done;
    std::string_view topic;
    std::int32_t partition = 0;
    std::int64_t offset = 0;
    WallTime received_at{};
    std::optional<WallTime> finished_at;
    DlqRecord dlq = DlqRecord::none;
    std::string_view error_class;    ///< empty: NULL
    std::string_view error_text;     ///< empty: NULL
    std::string_view had_effects{};  ///< of done and ignored: effects_text of what it had; empty: NULL
    std::string_view reference{};    ///< as every text of a payment, of at most 255 bytes; empty: NULL
    std::string_view transaction{};  ///< the same
};

/// A row as it stands in the table.
struct InboxRow {
    InboxKey key;
    crypto::Digest content_digest{};
    std::string source;
    std::string event_id;
    std::string type;
    std::string object_key;
    InboxStatus status = InboxStatus::done;
    std::string topic;
    std::int32_t partition = 0;
    std::int64_t offset = 0;
    WallTime received_at{};
    std::optional<WallTime> finished_at;
    DlqRecord dlq = DlqRecord::none;
    std::string error_class;
    std::string error_text;
    /// Names of the effects that it had. nullopt: not finished, or the row is gone and only remembered.
    std::optional<std::vector<std::string>> had_effects;
    std::string reference{};    ///< the merchant's order number; empty: none is known
    std::string transaction{};  ///< the provider's number
};

/// What a batch must know of an event that is there already.
struct KnownEvent {
    InboxKey key;
    crypto::Digest content_digest{};
    std::string source;  ///< the source that came first
    InboxStatus status = InboxStatus::done;
    DlqRecord dlq = DlqRecord::none;
    std::optional<WallTime> received_at{};  ///< nullopt: its row is gone, and only remembered
};

/// Which of `keys` are in the table, in no particular order; no locks. One SELECT for up to 512 keys of up to
/// four days, which is every ordinary batch, and one more for undated keys that are not there
/// (consumer/store/inbox/undated.hpp). A key may stand in `keys` several times.
[[nodiscard]] Result<std::vector<KnownEvent>> known(Connection& connection, std::span<const InboxKey> keys);

/// Plain multi-row INSERTs in the order of `entries` (which the caller sorts by key, so that two
/// batches lock rows in one order): one for every ordinary batch. The first error is returned and the
/// caller rolls back; ErrorClass::duplicate means "one of these is there already" and is a duplicate event
/// only when `entries` is one.
[[nodiscard]] Result<void> insert(Connection& connection, std::span<const InboxEntry> entries);

/// One row, in a transaction that goes on where it is there already: false, and nothing has changed.
[[nodiscard]] Result<bool> insert_unless_known(Connection& connection, const InboxEntry& entry);

/// The row, without a lock; nullopt when it is not there. Of an undated event whose row is gone, what is
/// remembered: key, digest, source, and that it is finished (`done`).
[[nodiscard]] Result<std::optional<InboxRow>> find(Connection& connection, const InboxKey& key);

/// The row itself, locked until the transaction ends; nullopt when it is not there.
[[nodiscard]] Result<std::optional<InboxRow>> find_locked(Connection& connection, const InboxKey& key);

/// The rows of these dedup keys over all days, for people (`sluicectl event show`): one lookup per day.
[[nodiscard]] Result<std::vector<InboxRow>> find_on_any_day(Connection& connection,
                                                            std::span<const crypto::Digest> dedup_keys);

/// The first day after `day` that has rows. One step per day reads an index's end in each partition, where a
/// DISTINCT would read all of them.
[[nodiscard]] Result<std::optional<std::chrono::sys_days>> next_inbox_day(Connection& connection,
                                                                          std::chrono::sys_days day);

/// What becomes of an event that is not finished (retry, deferred, parked, dead or rerun). The views live
/// until `change_unfinished` returns; cut as in InboxEntry.
struct InboxChange {
    InboxStatus status = InboxStatus::done;
    std::optional<WallTime> finished_at{};  ///< of done, ignored and skipped
    bool owes_dlq_record = false;           ///< it died now; else a record that was owed is owed no more
    std::string_view error_class{};         ///< empty: NULL
    std::string_view error_text{};          ///< empty: NULL
    std::string_view had_effects{};         ///< of done and ignored: effects_text; empty: left as it is
};

/// errc::unlisted_row_count when the row is not there or is finished: another session was faster or the row
/// was tampered with, and the caller rolls back.
[[nodiscard]] Result<void> change_unfinished(Connection& connection, const InboxKey& key,
                                             const InboxChange& change);

/// A done or ignored event becomes `rerun`; what it had and when it was finished stays. Fails as
/// `change_unfinished`.
[[nodiscard]] Result<void> reopen(Connection& connection, const InboxKey& key);

/// An operator has edited the event: it is found by the numbers of the new body, and by the old ones where
/// that has none. Fails as `change_unfinished`.
[[nodiscard]] Result<void> write_numbers(Connection& connection, const InboxKey& key,
                                         std::string_view reference, std::string_view transaction);

/// dlq_sent from owed to sent, after the delivery report. False when the row is not there or owes nothing.
[[nodiscard]] Result<bool> mark_dlq_sent(Connection& connection, const InboxKey& key);

/// Days before this one are dropped, or will be from a day after this was committed: an event that is not
/// known and older (and dated) is `too_old`. nullopt: nothing was ever dropped. Read it in each batch.
[[nodiscard]] Result<std::optional<std::chrono::sys_days>> dropped_before(Connection& connection);

}  // namespace sluice::store
