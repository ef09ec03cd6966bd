#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "common/clock.hpp"
#include "common/telemetry/metrics.hpp"

namespace sluice::poller {

/// The series of one source's walk (docs/metrics.md). Set by the walk's thread alone.
class WalkMetrics {
public:
    WalkMetrics(Metrics& metrics, const std::string& source);

    /// `result`: ok, or the word of a fault.
    void asked(std::string_view result);
    /// What became of events: published, known, quarantined, filtered.
    void events(std::string_view result, std::size_t number);
    void moved() { moves_.Increment(); }
    /// How long ago, by the provider's clock, the time lies up to which all is in Kafka.
    void complete(std::chrono::microseconds age);
    void leads(bool is_leading) { leading_.Set(is_leading ? 1 : 0); }
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
};

/// How many requests of a key may leave at once; `account` is the name of its first source.
[[nodiscard]] Gauge& budget_left(Metrics& metrics, const std::string& account);

}  // namespace sluice::poller
