#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "consumer/store/driver/connection.hpp"

/// What MySQL is known to hold of each partition (deploy/mysql/0002_applied_offset.sql).
namespace sluice::store {

/// "Every offset below `next_offset` is applied", said by one worker of one process.
struct AppliedOffset {
    std::int32_t partition = 0;
    std::int64_t next_offset = 0;
};

/// Who writes, in which life of the topic. The views live until the call returns.
struct OffsetWriter {
    std::string_view group;
    std::string_view topic_id;  ///< Kafka's UUID in its text form
    std::string_view name;      ///< process instance and worker, at most 64 bytes; no other writer has it
    std::string_view server{};  ///< server_name of this session's server; empty: not compared
};

/// Which server the session is on: id and host name.
[[nodiscard]] Result<std::string> server_name(Connection& connection);

enum class WriteMode {
    raise,    ///< the writer's own row never goes down
    restart,  ///< the row becomes what is written (after a seek back)
};

/// Writes the writer's rows, last in the caller's transaction. Rows of other writers are never touched.
/// On another server than the writer's, or in another session than the transaction was begun in, it fails
/// as `session_moved`: a proxy has moved the session, and nothing is known of what that server holds.
[[nodiscard]] Result<void> write_applied_offsets(Connection& connection, const OffsetWriter& writer,
                                                 std::span<const AppliedOffset> offsets,
                                                 WriteMode mode = WriteMode::raise);

/// By partition, the maximum over all writers' rows. A partition without a row is not there.
[[nodiscard]] Result<std::map<std::int32_t, std::int64_t>> applied_offsets(Connection& connection,
                                                                           std::string_view group,
                                                                           std::string_view topic_id);

/// Deletes all writers' rows of a partition: its log was cut, and they speak of other records.
[[nodiscard]] Result<void> forget_applied_offsets(Connection& connection, std::string_view group,
                                                  std::string_view topic_id, std::int32_t partition);

/// One row as maintenance sees it.
struct AppliedOffsetRow {
    std::string topic_id;
    std::int32_t partition = 0;
    std::string writer;
    std::int64_t next_offset = 0;
    std::int64_t age_seconds = 0;  ///< by the server's clock
};

/// Which rows say nothing any more: a day old and below their partition's maximum, never the maximum itself.
/// That of a topic that this process does not read stays too: it may be read by others of the group, or again
/// after a hand-over of any length, and it is one row for a partition. Pure.
[[nodiscard]] std::vector<AppliedOffsetRow> stale_applied_offsets(std::span<const AppliedOffsetRow> rows);

/// Deletes the stale rows of `group`; how many.
[[nodiscard]] Result<std::int64_t> delete_stale_applied_offsets(Connection& connection,
                                                                const std::string& group);

}  // namespace sluice::store
