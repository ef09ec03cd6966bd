#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "consumer/lane/rules/after_attempt.hpp"
#include "consumer/lane/run/lane_end.hpp"
#include "consumer/store/dead_letter/dead_letter.hpp"

namespace sluice::consumer {

/// The transaction that gives an event which ran and failed, or which cannot be read, its place in the lane
/// of its object: from then on it waits in MySQL. One worker's.
class EnterLane {
public:
    explicit EnterLane(const LaneContext& context) : context_{context} {}

    /// What the event has come to, as it goes into the tables.
    struct Entry {
        const lane::Ruling& ruling;  ///< waits or dead; its position is found under the lock
        std::string_view reason;
    };

    /// Of a decoded item: entered, known, or start_over where another owner of the partition was faster. The
    /// lane owes something then: the offset is neither finished nor written as applied.
    [[nodiscard]] Result<LaneEnd> run(Item& item, const Entry& entry, store::Connection& connection);

    /// Of a record that carries too little for an inbox row: a dead row behind those already there. known:
    /// the record has its entry already.
    [[nodiscard]] Result<LaneEnd> run_undecodable(const Item& item, const Entry& entry,
                                                  std::string_view topic_id, store::Connection& connection);

    /// An event that was set apart.
    struct Apart {
        bool is_new = true;  ///< false: the record, or its event, is there already
        std::optional<std::int64_t>
            dead_letter{};     ///< of one that has no place in its lane: it owes a DLQ record
        std::string reason{};  ///< why, and what is not kept
    };
    /// Of an event that our own tables refuse (consumer/main_role/set_apart.cpp), which would hold up its
    /// worker for ever: a dead row in its lane, so that its object waits for an operator. As much of it is
    /// kept as MySQL takes: without its payload, without an inbox row, without its record, and only where its
    /// lane cannot be written, an entry alone. A Failure: not even that, or the database is unavailable.
    [[nodiscard]] Result<Apart> write_refused(const Item& item, std::string_view why,
                                              std::string_view topic_id, store::Connection& connection);

private:
    struct Refused {
        Entry entry;
        std::string_view topic_id;
        bool with_inbox_row = false;
    };
    [[nodiscard]] Result<Apart> refused_in_lane(Item& item, const Refused& row,
                                                store::Connection& connection);
    [[nodiscard]] Result<Apart> refused_alone(const Item& item, const Refused& row,
                                              store::Connection& connection);
    [[nodiscard]] Result<void> append(const Item& item, const Entry& entry, store::LockedLane& lane,
                                      store::Connection& connection);
    /// Its id; nullopt: it is there already. Without a lane it holds none.
    [[nodiscard]] Result<std::optional<std::int64_t>> open_dead_letter(const Item& item, const Entry& entry,
                                                                       const store::LockedLane* lane,
                                                                       const store::DeadLetterRecord* record,
                                                                       store::Connection& connection);

    LaneContext context_;
};

}  // namespace sluice::consumer
