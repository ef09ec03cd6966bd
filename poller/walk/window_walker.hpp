#pragma once

#include <chrono>
#include <set>
#include <string>
#include <utility>

#include "poller/walk/walk.hpp"

namespace sluice::poller {

/// Walks a list that has no places: a page says where the next one is by a token that means nothing tomorrow,
/// and events of a page stand in any order. So the checkpoint is a time
/// (docs/decisions/0110-lists-without-places-are-walked-in-windows.md). Beside it stands the newest event
/// that it has passed: each round first asks whether the list knows it, since one that does not is another
/// account's.
///
/// A round reads windows [from, until), one behind the other, each to its last page. When Kafka has all of
/// it, the checkpoint moves to the window's end, and never beyond the overlap before the window's FIRST page
/// was asked for: what became visible later may stand on no page of it. The last window has no end.
///
/// Windows are kept near a page: a process that dies loses one. A window with more is halved, down to a
/// second; one that is nearly empty makes the next one twice as long. A token that is refused begins its
/// window again.
class WindowWalker final : public Walk {
public:
    WindowWalker(Checkpoint from, const WalkRules& rules);

    [[nodiscard]] Ask next(WallTime now) override;
    [[nodiscard]] std::vector<std::size_t> took(Page page, WallTime asked_at) override;
    [[nodiscard]] std::optional<Ask> next_if_kept() const override;
    void cannot_keep(std::size_t event) override;
    void delivered(const std::vector<bool>& kept) override;
    /// Of a token, but for one of a window that was begun again and again. Never of an event.
    [[nodiscard]] bool place_may_be_gone(WallTime now) const override;
    void place_is_gone() override;
    void begin_again() override;

    [[nodiscard]] std::optional<Checkpoint> to_write() const override;
    [[nodiscard]] const std::optional<Gap>& gap() const override { return gap_; }
    void written() override;

    [[nodiscard]] bool is_caught_up() const override { return caught_up_; }
    [[nodiscard]] WallTime read_until() const override { return window_ ? window_->from : WallTime{}; }
    [[nodiscard]] const Place* stuck_at() const override { return stuck_ ? &*stuck_ : nullptr; }

private:
    struct Window {
        WallTime from{};
        std::optional<WallTime> until{};  // nullopt: without an end
        std::string page{};               // the token of the page to ask for; empty: the first
        WallTime asked_at{};              // when its first page was asked for
        std::optional<Place> newest{};    // that was read and cannot be too young for the checkpoint
    };

    [[nodiscard]] bool asks_for_passed(WallTime now) const;
    [[nodiscard]] Window window_from(WallTime from, WallTime now, std::chrono::seconds width) const;
    [[nodiscard]] Ask ask_for(const Window& window) const;
    [[nodiscard]] bool is_too_wide(const Page& page, WallTime asked_at);
    [[nodiscard]] std::chrono::seconds width_after(const Page& page) const;
    [[nodiscard]] bool knows(const Place& place) const { return kept_.contains({place.created, place.id}); }
    void note_newest(const Page& page);
    void keep(const Place& place);
    void end_window();
    void complete();
    void end_round();

    WalkRules rules_;
    Checkpoint checkpoint_;  // `at`: the newest event that it has passed
    Checkpoint written_;
    std::optional<Gap> gap_;
    std::chrono::seconds width_;
    std::set<std::pair<WallTime, std::string>> kept_;  // by Kafka, and not passed by the checkpoint
    std::optional<Window> window_;                     // nullopt: the round has not begun
    std::optional<TakenPage> taken_;
    std::optional<Place> stuck_;
    bool is_asked_ = false;  // whether the list knows checkpoint_.at: in this round
    bool is_known_ = false;  // it does
    int begun_again_ = 0;    // with a token that was refused, since one led to a last page
    bool caught_up_ = false;
};

}  // namespace sluice::poller
