#pragma once

#include "consumer/apply/lane_end.hpp"
#include "consumer/lane/policy.hpp"
#include "consumer/store/dead_letter.hpp"

namespace sluice::consumer {

/// The transaction that gives an event which ran and failed, or which cannot be read, its place in the lane
/// of its object: from then on it waits in MySQL. One worker's.
class EnterLane {
public:
    explicit EnterLane(const LaneTools& tools) : tools_{tools} {}

    /// What the event has come to, as it goes into the tables.
    struct Entry {
        const lane::Ruling& ruling;  ///< waits or dead; its position is found under the lock
        std::string_view reason;
    };

    /// Of a decoded item: entered, known, or start_over where another owner of the partition was faster. The
    /// lane owes something then: the offset is neither finished nor claimed.
    [[nodiscard]] Result<LaneEnd> run(Item& item, const Entry& entry, store::Connection& connection);

    /// Of a record that carries too little for an inbox row: a dead row behind whatever stands there. known:
    /// the record has its entry already.
    [[nodiscard]] Result<LaneEnd> run_undecodable(const Item& item, const Entry& entry,
                                                  std::string_view topic_id, store::Connection& connection);

private:
    [[nodiscard]] Result<void> append(const Item& item, const Entry& entry, store::LockedLane& lane,
                                      store::Connection& connection);
    [[nodiscard]] Result<bool> open_letter(const Item& item, const Entry& entry,
                                           const store::LockedLane& lane, const store::LetterRecord* record,
                                           store::Connection& connection);

    LaneTools tools_;
};

}  // namespace sluice::consumer
