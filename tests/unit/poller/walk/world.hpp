#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "poller/pace/tries.hpp"
#include "poller/walk/ask.hpp"
#include "tests/unit/poller/walk/history.hpp"

namespace sluice::poller {

/// What may be left out, to see that it is missed.
enum class Rule : std::uint8_t {
    next_page,      ///< the page behind a place is the one next to it, not the newest; of a window, all pages
    oldest_first,   ///< the place is the newest event's, not that of the page's last in the provider's order
    ack_first,      ///< the row moves after Kafka's acknowledgement
    overlap,        ///< the row lags
    fence,          ///< who lost the lease does not write
    start_by_time,  ///< a walk begins at a time, not behind the newest event that is seen
    gone_by_time,   ///< and goes on from a time where its place is gone, or its token
    provider_clock,  ///< what is old enough, the provider's clock says
    count,
};

[[nodiscard]] std::string_view name_of(Rule rule);

/// A provider's answer.
struct Answer {
    std::optional<Fault> fault;
    Page page;
    std::optional<Milliseconds> retry_after;
    std::optional<WallTime> date;
};

struct Lease {
    int holder = -1;
    std::uint64_t fence = 0;
};

/// The row of `poll_walk`.
struct Row {
    Checkpoint checkpoint{};
    std::vector<Gap> gaps{};
    Lease lease{};
    WallTime leased_until{};
};

/// What the pollers share: the list, Kafka with the consumer behind it, and the row. It checks each promise
/// as something happens; the first that is broken stays in `broken`.
class World {
public:
    World(const History& history, std::optional<Rule> without);

    WallTime now;
    std::optional<std::string> broken;

    [[nodiscard]] const History& history() const { return history_; }
    [[nodiscard]] bool has(Rule rule) const { return without_ != rule; }
    [[nodiscard]] Dice& dice() { return dice_; }
    [[nodiscard]] bool is_troubled() const { return now < history_.calm; }
    [[nodiscard]] bool happens(int one_in) { return is_troubled() && dice_.one_in(one_in); }

    // The list.
    [[nodiscard]] bool takes(const Ask& ask) const;
    [[nodiscard]] Answer answer(const Ask& ask);
    /// Events behind that one, visible or not; all where it is empty.
    [[nodiscard]] std::size_t events_behind(const std::string& id) const;

    // Kafka: whether the poller hears of an acknowledgement.
    [[nodiscard]] bool publish(const std::string& id);

    // The row. nullopt: another has it.
    [[nodiscard]] std::optional<Row> take_lease(int holder, const Checkpoint& first);
    [[nodiscard]] bool renew(const Lease& lease, Milliseconds wait);
    [[nodiscard]] bool move(const Lease& lease, const Checkpoint& to, const std::optional<Gap>& gap);

    void round_is_over(WallTime began);
    [[nodiscard]] bool is_over() const { return over_; }
    /// At the end: what is applied is what was visible.
    void check_all();
    void check(bool kept, std::string_view promise);

    std::uint64_t requests = 0;
    std::uint64_t records = 0;

private:
    [[nodiscard]] std::size_t index_of(const std::string& id) const { return by_id_.at(id); }
    [[nodiscard]] std::size_t next_to(const std::string& id) const {
        return id.empty() ? 0 : index_of(id) + 1;
    }
    [[nodiscard]] bool is_listed(const Event& event) const;
    [[nodiscard]] Page behind(const Ask& ask) const;
    [[nodiscard]] Page newest(const Ask& ask, std::size_t end) const;
    [[nodiscard]] Page page_of_window(const Ask& ask, std::size_t end);
    [[nodiscard]] bool is_applied(std::size_t index) const;
    [[nodiscard]] bool is_excused(const Event& event) const;
    [[nodiscard]] bool holds(const Lease& lease) const;
    [[nodiscard]] bool is_back(const Checkpoint& from, const Place& to) const;
    void check_not_back(const Checkpoint& to);
    void check_covered();
    void check_applied(std::size_t index, std::string_view otherwise);

    const History& history_;
    std::optional<Rule> without_;
    Dice dice_;
    std::unordered_map<std::string, std::size_t> by_id_;
    std::vector<int> published_;  // of each event
    std::optional<Row> row_;
    WallTime started_from_;  // the row as it was first: what was created before may be missing
    WallTime asked_from_;    // what was created before must not come
    bool searched_ = false;  // by time
    bool over_ = false;
};

}  // namespace sluice::poller
