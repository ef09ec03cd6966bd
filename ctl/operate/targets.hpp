#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "common/config/settings/connections.hpp"
#include "consumer/store/dead_letter/dead_letter_list.hpp"

namespace sluice::ctl {

/// The entries that a request is about: named one by one, or a filter over what is open. A filter is read
/// page by page, so that a hundred thousand cost no memory. All functions throw Stopped.
class Targets {
public:
    Targets(store::Connection& connection, const config::MysqlSettings& settings,
            store::DeadLetterFilter filter);
    /// By entry's or event's id; of an event what is open. Stopped(no) for a name that names nothing.
    Targets(store::Connection& connection, const config::MysqlSettings& settings,
            const std::vector<std::string>& names);

    [[nodiscard]] std::vector<store::DeadLetterCount> counts() const;
    [[nodiscard]] std::vector<store::DeadLetterRow> sample() const;
    /// The next ones in the order of their ids; empty: that was all.
    [[nodiscard]] std::vector<store::DeadLetterRow> next_page();

    /// How many unfinished events their objects have besides them. What came until now may come up later.
    [[nodiscard]] std::int64_t waiting_behind();
    /// What has opened behind the entries of `run` since the last call, had come by the time of
    /// `waiting_behind`, and is wanted like them: selected by the filter, if there is one, and of a kind and
    /// class that `counts` had. About 500 at most; empty: no more.
    [[nodiscard]] std::vector<store::DeadLetterRow> come_up(
        const store::ActionId& run, const std::vector<store::DeadLetterCount>& counts);

private:
    [[nodiscard]] std::vector<store::HeldLane> held_lanes() const;
    /// Whether an operator who saw the plan has seen the like of it.
    [[nodiscard]] bool is_wanted(const store::DeadLetterRow& row,
                                 const std::vector<store::DeadLetterCount>& counts) const;
    [[nodiscard]] std::vector<store::DeadLetterRow> page(std::int64_t limit, std::int64_t after) const;

    store::Connection& connection_;
    const config::MysqlSettings& settings_;
    store::DeadLetterFilter filter_;
    std::vector<store::DeadLetterRow> named_;  // by id
    bool is_named_ = false;
    std::int64_t last_ = 0;
    std::map<crypto::Digest, lane::Position> tails_;  // the newest event of each lane, then
    std::set<std::int64_t> came_up_;                  // by id
};

}  // namespace sluice::ctl
