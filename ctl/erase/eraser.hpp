#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "common/config/settings/connections.hpp"
#include "consumer/effects/effect_set/effect_set.hpp"
#include "consumer/store/driver/connection.hpp"
#include "ctl/erase/erase_plan.hpp"
#include "ctl/operate/run_options.hpp"

namespace sluice::ctl {

struct EraseSettings {
    config::MysqlSettings mysql;
    config::KafkaSettings kafka;
    config::InboxSettings inbox;
    effects::EffectSet effects;
};

/// One erasure, from reading what is there to its end. If it is killed between two steps, a second one of the
/// same object continues it: what was removed stays removed. Each call throws Stopped.
class Eraser {
public:
    /// `settings` and `connection` outlive it.
    Eraser(const EraseSettings& settings, store::Connection& connection, std::string object_key)
        : settings_{settings}, connection_{connection}, object_key_{std::move(object_key)} {}

    /// The object is that of an entry.
    void name_by_entry(std::int64_t entry);
    [[nodiscard]] ErasePlan look();
    /// What waits by then; nothing: it is finished.
    std::vector<StillWaiting> erase(const ErasePlan& plan, const RunOptions& by);
    [[nodiscard]] store::ErasedRows rows();

private:
    /// By the clock that times the end of events.
    [[nodiscard]] WallTime now();
    [[nodiscard]] std::int64_t begin(const RunOptions& by);
    void take(const ErasePlan& plan);
    [[nodiscard]] std::vector<StillWaiting> what_came_meanwhile();
    void must(const Result<void>& done);
    template <class Rows, class Erase>
    void in_chunks(const Rows& rows, Erase erase);

    const EraseSettings& settings_;
    store::Connection& connection_;
    std::string object_key_;
    std::int64_t id_ = 0;
};

}  // namespace sluice::ctl
