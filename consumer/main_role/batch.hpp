#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "consumer/main_role/single_event_run.hpp"
#include "consumer/main_role/sort_batch.hpp"

namespace sluice::consumer {

/// Runs a batch of events of healthy objects in as few transactions as it can. Known duplicates drop out
/// first; twins share their first's disposition; an event that is not plainly new runs alone. A transaction
/// that fails is run again without the event at fault, or, where that is not known, in halves, left before
/// right, until it stands alone. One that would fail again does not run twice: all others would wait once
/// more. One worker's; not thread-safe.
class Batch {
public:
    Batch(const WorkerContext& context, SingleEventRun& alone)
        : context_{context}, single_{alone}, transaction_{context.rules, context.partitions, context.clock} {}

    /// False: the database is unavailable; what is not finished is back in `backlog`.
    [[nodiscard]] bool run(Items items, Backlog& backlog, const Session& session);

private:
    using Fresh = std::span<SortedBatch::Fresh>;

    [[nodiscard]] Result<SortedBatch> sort_out(Items& items, const Session& session);
    [[nodiscard]] bool run_fresh(Fresh fresh, Backlog& backlog, const Session& session);
    /// How many of `part`, from its front, are dealt with after one transaction, and how to go on.
    struct Step {
        std::size_t next_size = 0;  ///< of the next transaction
        std::size_t alone = 0;      ///< so many events of the front run alone first
        bool committed = false;
        bool trouble = false;
    };
    /// `rest` begins with `part`.
    [[nodiscard]] Step transact(Fresh part, Fresh rest, Backlog& backlog, const Session& session);
    /// The session ended while one event of `part` was at work; which one is not always known.
    void note_trouble(Fresh part, const Transaction::Failed& failed);
    /// The events of lanes that are not open any more run alone, before the others, which are taken up again
    /// in parts of `size` at most.
    [[nodiscard]] Step without_busy(std::size_t size, Fresh rest, const std::vector<store::LaneKey>& busy);
    [[nodiscard]] Step without(Fresh part, Fresh rest, const Transaction::Failed& failed);
    void leave_out_held(Fresh fresh);
    /// How many of `fresh` stand before the first that has failed already.
    [[nodiscard]] std::size_t not_failed_in_front(Fresh fresh) const;
    [[nodiscard]] bool run_alone(Item& item, Backlog& backlog, const Session& session);
    void settle(Fresh part, const std::vector<store::InboxStatus>& statuses, Backlog& backlog);
    void settle_duplicates(std::span<Item* const> items, Backlog& backlog);
    void keep(SortedBatch::Fresh& fresh);

    WorkerContext context_;
    SingleEventRun& single_;
    Transaction transaction_;
    std::set<std::string, std::less<>> blocked_;  // objects whose later events must wait for the next batch
    Items kept_;                                  // to be put back
    std::map<const Item*, Setback> failed_;       // in a batch, and not to be run again
};

}  // namespace sluice::consumer
