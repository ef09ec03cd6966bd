#include "consumer/apply/applied_offsets.hpp"

#include "consumer/store/inbox/applied_offset.hpp"

namespace sluice::consumer {

Result<void> write_applied_offsets(store::Connection& connection, const OffsetWriter& writer,
                                   const std::vector<AppliedOffset>& offsets) {
    if (offsets.empty()) return {};
    std::vector<store::AppliedOffset> rows;
    rows.reserve(offsets.size());
    for (const AppliedOffset& offset : offsets) rows.push_back({offset.partition, offset.next_offset});
    return store::write_applied_offsets(connection,
                                        {writer.group, writer.topic_id, writer.name, writer.server}, rows);
}

Result<void> write_finished(Partitions& partitions, store::Connection& connection,
                            const OffsetWriter& writer) {
    const std::vector<AppliedOffset> offsets = partitions.unwritten();
    if (offsets.empty()) return {};
    if (auto written = write_applied_offsets(connection, writer, offsets); !written) return written;
    partitions.answered({}, offsets);
    return {};
}

}  // namespace sluice::consumer
