#include "consumer/silence/silence_watch.hpp"

#include <algorithm>
#include <limits>

namespace sluice::consumer {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

double seconds(std::chrono::duration<double> time) {
    return time.count();
}

}  // namespace

Result<void> SilenceWatch::take(store::Connection& connection, WallTime now) {
    const auto newest = store::newest_by_source(connection);
    if (!newest) return Failure{newest.error()};
    for (const auto& source : sources_) {
        if (source->polled) continue;
        const auto known = std::ranges::find(*newest, source->name, &store::NewestOfSource::source);
        if (known == newest->end()) {
            if (const auto told = gauges_.find(source->name); told != gauges_.end()) forget(told->second);
            continue;
        }
        if (auto done = take(connection, *source, *known, now); !done) return done;
    }
    return {};
}

Result<void> SilenceWatch::take(store::Connection& connection, const webhook::Source& source,
                                const store::NewestOfSource& newest, WallTime now) {
    const auto known = usual(connection, newest);
    if (!known) return Failure{known.error()};
    const silence::UsualTraffic& usual = **known;
    const auto silent = std::max(now - newest.at, WallTime::duration{0});
    const auto strange_after = usual.strange_after(newest.at);
    const Gauges& gauges = gauges_of(source);
    gauges.silent->Set(seconds(silent));
    gauges.strange_after->Set(strange_after ? seconds(*strange_after) : never);
    gauges.longest->Set(seconds(usual.longest_usual_silence().value_or(std::chrono::hours{0})));
    if (source.answers.disabled_after)
        gauges.disabled_in->Set(seconds(*source.answers.disabled_after - silent));
    return {};
}

Result<const silence::UsualTraffic*> SilenceWatch::usual(store::Connection& connection,
                                                         const store::NewestOfSource& newest) {
    const auto hour = std::chrono::floor<std::chrono::hours>(newest.at);
    const auto known = learned_.find(newest.source);
    if (known != learned_.end() && known->second.learned_until() == hour) return &known->second;
    auto learned = store::usual_traffic(connection, newest);
    if (!learned) return Failure{learned.error()};
    return &learned_.insert_or_assign(newest.source, *learned).first->second;
}

void SilenceWatch::forget() {
    for (const auto& [source, gauges] : gauges_) forget(gauges);
}

void SilenceWatch::forget(const Gauges& gauges) {
    for (Gauge* gauge : {gauges.silent, gauges.strange_after, gauges.longest}) gauge->Set(0);
    if (gauges.disabled_in != nullptr) gauges.disabled_in->Set(never);
}

SilenceWatch::Gauges& SilenceWatch::gauges_of(const webhook::Source& source) {
    const auto known = gauges_.find(source.name);
    if (known != gauges_.end()) return known->second;
    const auto gauge = [&](const char* name, const char* help) {
        return &metrics_.gauge(name, help, {{"source", source.name}});
    };
    Gauges made{gauge("sluice_consumer_source_silent_seconds",
                      "Time since the source's newest event came, of those that the main role has read"),
                gauge("sluice_consumer_source_strange_after_seconds",
                      "After how long that is strange; +Inf: it is not known yet"),
                gauge("sluice_consumer_source_longest_silence_seconds",
                      "The longest silence that is usual for the source; 0: it is not known yet")};
    if (source.answers.disabled_after)
        made.disabled_in =
            gauge("sluice_consumer_source_disabled_in_seconds",
                  "Time until the provider disables the endpoint, if all has failed since the newest event");
    return gauges_.emplace(source.name, made).first->second;
}

}  // namespace sluice::consumer
