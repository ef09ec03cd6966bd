#pragma once

#include "consumer/apply/applied_offsets.hpp"
#include "consumer/database/applied_offset_check.hpp"
#include "consumer/database/database.hpp"

namespace sluice::consumer {

/// A worker's way to a MySQL over which it may write applied offsets: each connection is compared with what
/// we believe before it is used (AppliedOffsetCheck), and each write says on which server that was: a proxy
/// may move a session. One worker's.
class CheckedDatabase {
public:
    /// All but `writer` outlive it.
    CheckedDatabase(Database& database, Partitions& partitions, OffsetWriter writer, Log& log,
                    Metrics& metrics)
        : database_{database},
          partitions_{partitions},
          writer_{std::move(writer)},
          check_{partitions, writer_, log, metrics} {}

    [[nodiscard]] const OffsetWriter& writer() const noexcept { return writer_; }

    /// nullptr while there is none that applied offsets may be written over; Database::next_try says when to
    /// ask again.
    [[nodiscard]] store::Connection* ready();
    /// Rows what is finished and no transaction covered, and keeps an idle session alive. Returns whether
    /// that was possible.
    bool write_rest();

private:
    Database& database_;
    Partitions& partitions_;
    OffsetWriter writer_;
    AppliedOffsetCheck check_;
    std::uint64_t session_ = 0;
    bool is_doubtful_ = true;  // commits of before may be gone; until a session has passed
};

}  // namespace sluice::consumer
