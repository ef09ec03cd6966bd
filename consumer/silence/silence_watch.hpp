#pragma once

#include <functional>
#include <map>
#include <string>

#include "common/telemetry/metrics.hpp"
#include "common/webhook/recipe/source.hpp"
#include "consumer/silence/rules/usual_traffic.hpp"
#include "consumer/store/driver/connection.hpp"
#include "consumer/store/traffic/source_traffic.hpp"

namespace sluice::consumer {

/// How long nothing has come from each source of the file, and after how long that is strange, as metrics.
/// Every process of the retry role tells the same. What the main role has not read did not come yet. One
/// thread's.
class SilenceWatch {
public:
    /// Both outlive it.
    SilenceWatch(const webhook::SourceSet& sources, Metrics& metrics)
        : sources_{sources}, metrics_{metrics} {}

    /// No locks. A Failure leaves what was told before.
    [[nodiscard]] Result<void> take(store::Connection& connection, WallTime now);
    /// Nothing is known at present: an old answer would hide a silence, or go on with one that is over.
    void forget();

private:
    struct Gauges {
        Gauge* silent = nullptr;
        Gauge* strange_after = nullptr;
        Gauge* longest = nullptr;
        Gauge* disabled_in = nullptr;  ///< null: the provider disables no endpoint
    };

    [[nodiscard]] Result<void> take(store::Connection& connection, const webhook::Source& source,
                                    const store::NewestOfSource& newest, WallTime now);
    [[nodiscard]] Result<const silence::UsualTraffic*> usual(store::Connection& connection,
                                                             const store::NewestOfSource& newest);
    Gauges& gauges_of(const webhook::Source& source);
    static void forget(const Gauges& gauges);

    const webhook::SourceSet& sources_;
    Metrics& metrics_;
    std::map<std::string, silence::UsualTraffic, std::less<>> learned_;
    std::map<std::string, Gauges, std::less<>> gauges_;
};

}  // namespace sluice::consumer
