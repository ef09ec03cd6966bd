#pragma once

#include <string>
#include <vector>

#include "consumer/offsets/partitions.hpp"
#include "consumer/offsets/purpose.hpp"
#include "consumer/store/driver/connection.hpp"

namespace sluice::consumer {

/// Who writes applied offsets.
struct OffsetWriter {
    std::string group;
    std::string topic_id;
    std::string name;      ///< process instance and worker
    std::string topic{};   ///< its name, for people
    std::string server{};  ///< store::server_name of the session
    Purpose purpose = Purpose::apply;
};

/// Last in a transaction: what MySQL holds once it is committed.
[[nodiscard]] Result<void> write_applied_offsets(store::Connection& connection, const OffsetWriter& writer,
                                                 const std::vector<AppliedOffset>& offsets);

/// Rows what is finished and no transaction covered, in its own transaction.
[[nodiscard]] Result<void> write_finished(Partitions& partitions, store::Connection& connection,
                                          const OffsetWriter& writer);

}  // namespace sluice::consumer
