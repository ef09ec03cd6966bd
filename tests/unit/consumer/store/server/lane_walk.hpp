#pragma once

#include <functional>
#include <random>
#include <span>
#include <string_view>

#include "consumer/lane/rules/after_attempt.hpp"
#include "consumer/lane/rules/command.hpp"
#include "consumer/lane/rules/next_turn.hpp"
#include "consumer/store/dead_letter/dead_letter.hpp"
#include "tests/unit/consumer/store/server/memory_lane.hpp"

namespace sluice::store {

/// A random walk: what the main role, the retry role and operators decide by the rules of consumer/lane, on
/// six objects, written to the tables and to lanes in memory. Each look at a lane compares the two.
class LaneWalk {
public:
    LaneWalk(Connection& connection, unsigned seed);

    void step();
    /// Of all lanes, what single looks do not see.
    void expect_equal_tables();

    std::map<std::string_view, int> decisions;  ///< how often each was taken

private:
    // the main role
    void arrive(MemoryLane& lane);
    void arrive_at_busy(MemoryLane& lane, const MemoryEvent& event);
    void apply(MemoryLane& lane, const LockedLane& locked, const MemoryEvent& event);
    void park(MemoryLane& lane, LockedLane& locked, const MemoryEvent& event);
    void enter(MemoryLane& lane, MemoryEvent event);
    // the retry role
    void wakeup(MemoryLane& lane);
    bool do_duty(MemoryLane& lane, LockedLane& locked, const lane::Duty& duty, lane::Pass& pass);
    void take_turn(MemoryLane& lane, LockedLane& locked, lane::Pass& pass);
    void run(MemoryLane& lane, LockedLane& locked, const lane::Row& row, lane::Pass& pass);
    bool fail(MemoryLane& lane, LockedLane& locked, MemoryEvent& event);  ///< false: it was superseded
    // operators
    void command(MemoryLane& lane);
    void obey(MemoryLane& lane, LockedLane& locked, const InboxKey& event);
    // what they share
    [[nodiscard]] LockedLane locked(MemoryLane& lane);
    void append(MemoryLane& lane, LockedLane& locked, const MemoryEvent& event);
    void insert_inbox(const MemoryEvent& event, InboxStatus status);
    void change_row(MemoryEvent& event, LockedLane& locked);
    void finish(MemoryLane& lane, LockedLane& locked, lane::Position position, InboxStatus status,
                ClosedAs how);
    void open_death(const MemoryLane& lane, MemoryEvent& event);
    void write(MemoryLane& lane, const LockedLane& locked, const lane::Wakeup& wakeup);
    void transaction(const std::function<bool()>& body);
    [[nodiscard]] lane::Ruling fails(const lane::Row& before);
    [[nodiscard]] bool one_in(int count);
    [[nodiscard]] std::int64_t number(const std::string& statement);

    Connection& connection_;
    std::mt19937 random_;
    std::vector<MemoryLane> lanes_;
    WallTime now_;
    int events_ = 0;
};

/// The value, or an exception with the server's words.
template <class T>
T must(Connection& connection, Result<T> result) {
    if (!result) throw std::runtime_error(result.error().message() + ": " + connection.last_error().message);
    if constexpr (!std::is_void_v<T>) return std::move(*result);
}

}  // namespace sluice::store
