#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "common/clock.hpp"
#include "common/telemetry/metrics.hpp"
#include "poller/config/poll_settings.hpp"
#include "poller/pace/tries.hpp"

namespace sluice::poller {

/// The series of one source's walk (docs/metrics.md). Set by the walk's thread alone.
class WalkMetrics {
public:
    /// `poll` has its source.
    WalkMetrics(Metrics& metrics, const PollSettings& poll);

    /// Of requests.
    void answered();
    void failed(Fault fault);
    /// What became of events: published, known, quarantined, filtered.
    void events(std::string_view result, std::size_t number);
    void moved() { moves_.Increment(); }
    /// The time up to which all is in Kafka, by the provider's clock.
    void complete(WallTime until) { complete_until_ = until; }
    /// It is that old now. Also while the checkpoint does not move: its age tells that.
    void aged(WallTime now);
    /// This process walks the source.
    void leads() { leading_.Set(1); }
    /// It does not, or not any more: what it said of the walk is another's to say.
    void stands_by();
    void in_trouble(bool is_so) { in_trouble_.Set(is_so ? 1 : 0); }
    /// The walk stands before something that no retry mends.
    void halted(bool is_so) { halted_.Set(is_so ? 1 : 0); }
    /// How long the time is in which events may be missing; zero: none.
    void gap(std::chrono::microseconds length);

private:
    Metrics& metrics_;
    std::string source_;
    Counter& moves_;
    Gauge& complete_;
    Gauge& leading_;
    Gauge& in_trouble_;
    Gauge& halted_;
    Gauge& gap_;
    WallTime complete_until_{};
};

/// How many requests of a key may leave at once; `account` is the name of its first source.
[[nodiscard]] Gauge& budget_left(Metrics& metrics, const std::string& account);

}  // namespace sluice::poller
