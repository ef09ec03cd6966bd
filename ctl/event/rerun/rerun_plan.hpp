#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "common/clock.hpp"
#include "consumer/effects/effect_set/effect_set.hpp"
#include "consumer/store/inbox/past_events.hpp"
#include "ctl/cli/json.hpp"
#include "ctl/event/rerun/turn_order.hpp"

namespace sluice::ctl {

/// What a rerun would do: how many events would have which effects, and why it would leave others alone. The
/// retry role decides again, under its own configuration, when it carries the commands out. The plan does not
/// look into bodies: it lists effects for payments of whatever kind, and the role leaves out those that the
/// event is not of. Pure.
class RerunPlan {
public:
    /// Beyond it a plan is refused: it is held in memory.
    static constexpr std::size_t most_targets = 200'000;

    /// `only`: this effect alone; empty: all of `effects`, which live as long as the plan.
    RerunPlan(const effects::EffectSet& effects, std::string only)
        : effects_{effects}, only_{std::move(only)} {}

    /// Takes one event in.
    void look_at(const store::PastEvent& event);
    /// After the last one: the targets in the order of their turns.
    void close();

    [[nodiscard]] const std::vector<RerunTarget>& targets() const noexcept { return targets_; }
    [[nodiscard]] std::int64_t total() const noexcept { return static_cast<std::int64_t>(targets_.size()); }
    [[nodiscard]] bool is_too_large() const noexcept { return targets_.size() > most_targets; }

    [[nodiscard]] std::string to_people() const;
    [[nodiscard]] Json to_json() const;

private:
    /// effects, type, source, status before
    using Group = std::tuple<std::string, std::string, std::string, store::InboxStatus>;
    struct Shown {
        std::string event_id;
        std::string type;
        std::string object_key;
        store::InboxStatus status{};
        std::string effects;
        WallTime received_at{};
    };
    void leave(std::string_view why) { ++left_[std::string{why}]; }
    void show(const store::InboxRow& row, const std::string& effects);

    const effects::EffectSet& effects_;
    std::string only_;
    std::vector<RerunTarget> targets_;
    std::map<Group, std::int64_t> counts_;
    std::map<std::string, std::int64_t> left_;  // by why
    std::vector<Shown> sample_;                 // those that were received first
};

}  // namespace sluice::ctl
