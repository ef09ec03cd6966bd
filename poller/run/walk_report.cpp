// What a walk says of itself: log lines, readiness and gauges.
#include "common/time_text.hpp"
#include "poller/run/source_walk.hpp"

namespace sluice::poller {

void SourceWalk::began(const Checkpoint& from) {
    said_.clear();
    metrics_.leads();
    metrics_.halted(is_stuck_);
    metrics_.complete(from.complete_until);
    metrics_.aged(reader_.now());
    around_.log.info("poll_began", {{"source", poll_.source->name},
                                    {"behind", from.at ? std::string_view{from.at->id} : std::string_view{}},
                                    {"complete_until", to_rfc3339(from.complete_until)}});
    if (checkpoints_.has_other_types())
        around_.log.warn("poll_types_changed",
                         {{"source", poll_.source->name},
                          {"reason", "events of new types that were created before are not read"}});
    show_gap();
    if (!is_in_trouble_) around_.readiness.set_ready(concern_);
}

void SourceWalk::not_walking(Checkpoints::Held held) {
    metrics_.stands_by();
    is_in_trouble_ = false;
    is_stuck_ = false;
    if (held == Checkpoints::Held::others) {
        if (said_ != "standby") around_.log.info("poll_standby", {{"source", poll_.source->name}});
        said_ = "standby";
        around_.readiness.set_ready(concern_);
        return;
    }
    metrics_.halted(held == Checkpoints::Held::not_ours);
    around_.readiness.set_unready(concern_, checkpoints_.why());
    if (said_ != checkpoints_.why())
        around_.log.error("poll_waits", {{"source", poll_.source->name}, {"reason", checkpoints_.why()}});
    said_ = checkpoints_.why();
}

/// Degraded: the process does what it can, and another one would fare no better.
void SourceWalk::in_trouble(const std::string& why, bool is_halted) {
    around_.readiness.set_degraded(concern_, why);
    metrics_.in_trouble(true);
    metrics_.halted(is_halted);
    if (!is_in_trouble_)
        around_.log.error("poll_in_trouble", {{"source", poll_.source->name}, {"reason", why}});
    is_in_trouble_ = true;
}

void SourceWalk::worked() {
    if (!is_in_trouble_ || is_stuck_) return;
    is_in_trouble_ = false;
    metrics_.in_trouble(false);
    metrics_.halted(false);
    around_.readiness.set_ready(concern_);
    around_.log.info("poll_works_again", {{"source", poll_.source->name}});
}

void SourceWalk::show_gap() {
    const auto& gap = checkpoints_.gap();
    metrics_.gap(gap ? gap->until - gap->from : std::chrono::microseconds{0});
    if (gap)
        around_.log.error("poll_gap", {{"source", poll_.source->name},
                                       {"from", to_rfc3339(gap->from)},
                                       {"until", to_rfc3339(gap->until)},
                                       {"reason", "the provider forgot events before they were read"}});
}

}  // namespace sluice::poller
