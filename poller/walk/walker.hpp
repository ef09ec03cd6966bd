#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "poller/walk/recent.hpp"
#include "poller/walk/time_start.hpp"
#include "poller/walk/walk.hpp"

namespace sluice::poller {

/// Walks a list whose events are places: what stands behind an id can be asked for.
///
/// Each round reads forward from the checkpoint to the newest event. The checkpoint passes an event only when
/// Kafka has it and all before it, and when the event was older than the overlap as its page was asked for.
/// What becomes visible later than that page was created later, and stands behind the checkpoint. What is
/// read again is not published again (`Recent`).
class Walker final : public Walk {
public:
    Walker(Checkpoint from, const WalkRules& rules);

    [[nodiscard]] Ask next(WallTime now) override;
    [[nodiscard]] std::vector<std::size_t> took(Page page, WallTime asked_at) override;
    [[nodiscard]] std::optional<Ask> next_if_kept() const override;
    void cannot_keep(std::size_t event) override;
    /// Where one is missing, from there on.
    void delivered(const std::vector<bool>& kept) override;
    /// Whether it is that old, or was read within this search.
    [[nodiscard]] bool place_may_be_gone(WallTime now) const override;
    void place_is_gone() override;

    [[nodiscard]] std::optional<Checkpoint> to_write() const override;
    [[nodiscard]] const std::optional<Gap>& gap() const override { return gap_; }
    void written() override;

    [[nodiscard]] bool is_caught_up() const override { return caught_up_; }
    [[nodiscard]] WallTime read_until() const override;
    [[nodiscard]] const Place* stuck_at() const override { return stuck_ ? &*stuck_ : nullptr; }

private:
    struct Round {
        std::optional<Place> position{};  // everything up to here was read; nullopt: by_time_ still searches
        std::optional<WallTime> began{};  // when its first page of events was asked for
        bool moves_checkpoint = true;     // until the first event that is too young
    };

    void begin_round(WallTime now);
    void go_by_time();
    [[nodiscard]] bool holds_the_first(const Page& page, WallTime asked_at);
    void start_behind(const Page& page);
    void pass(const Place& place, WallTime asked_at);
    void complete(WallTime until);
    void end_round();

    Checkpoint checkpoint_;
    Checkpoint written_;
    std::optional<Gap> gap_;
    WalkRules rules_;
    Recent recent_;
    std::optional<TimeStart> by_time_;  // while the checkpoint has no place
    std::optional<Round> round_;
    std::optional<TakenPage> taken_;
    std::optional<Place> stuck_;
    bool caught_up_ = false;
};

}  // namespace sluice::poller
