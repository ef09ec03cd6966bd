#include "consumer/effects_guard.hpp"

#include <expected>
#include <utility>

#include "common/crypto/encoding.hpp"
#include "common/thread_name.hpp"
#include "common/time_text.hpp"
#include "consumer/store/effects_version.hpp"

namespace sluice::consumer {
namespace {

constexpr const char* effects_concern = "effects_revision";
constexpr Milliseconds between_looks_at_effects{500};

std::string revision_text(const store::EffectsVersion& version) {
    return std::to_string(version.revision) + " (" + crypto::to_hex(version.digest).substr(0, 12) + ")";
}

std::string overtaken(const store::EffectsVersion& ours, const store::EffectsInForce& recorded) {
    return "the effects of this file, revision " + revision_text(ours) + ", were overtaken by revision " +
           revision_text(recorded.version) + " at " + to_rfc3339(recorded.since) +
           ": deploy that file here too, or put this one in force with `sluicectl effects --apply`";
}

std::string differing(const store::EffectsVersion& ours, const store::EffectsInForce& recorded) {
    return "the effects of this file, " + revision_text(ours) +
           ", are not those that were recorded under its revision, " + revision_text(recorded.version) +
           ": each change of effects needs a higher effects_revision";
}

Gauge& outdated_gauge(Metrics& metrics) {
    return metrics.gauge("sluice_consumer_effects_outdated",
                         "1 while nothing is applied because other effects are in force");
}

Gauge& differ_gauge(Metrics& metrics) {
    return metrics.gauge("sluice_consumer_effects_differ",
                         "1 while other effects are recorded under the revision of ours");
}

/// Tells what is recorded; whether ours may be applied.
bool tell_effects(Process& process, const std::optional<store::EffectsInForce>& recorded) {
    const auto ours = process.config.effects.version();
    const auto standing = store::standing_of(ours, recorded);
    const bool differ = standing == store::EffectsStanding::differ;
    const bool outdated = standing == store::EffectsStanding::outdated;
    const bool is_new = differ_gauge(process.metrics).Value() == 0;
    outdated_gauge(process.metrics).Set(outdated ? 1 : 0);
    differ_gauge(process.metrics).Set(differ ? 1 : 0);
    if (differ && is_new) process.log.error("effects_differ", {{"reason", differing(ours, *recorded)}});
    if (outdated) {
        process.readiness.set_unready(effects_concern, overtaken(ours, *recorded));
    } else {
        process.readiness.set_ready(effects_concern);
    }
    return !outdated;
}

void tell_outdated(Process& process, const store::EffectsInForce& recorded) {
    process.log.error("effects_outdated",
                      {{"reason", overtaken(process.config.effects.version(), recorded)}});
}

/// What is recorded, ours where they are the highest; why that cannot be told otherwise.
std::expected<std::optional<store::EffectsInForce>, std::string> record_ours(Process& process) {
    store::ServerError error;
    const auto connection = store::Connection::open(process.config.mysql, &error);
    if (!connection) return std::unexpected(error.message);
    auto recorded =
        store::agree_on_effects(**connection, process.config.effects.version(), process.clock.wall());
    if (!recorded) return std::unexpected((*connection)->last_error().message);
    return std::move(*recorded);
}

}  // namespace

void export_effects_gauges(Metrics& metrics) {
    (void)outdated_gauge(metrics);
    (void)differ_gauge(metrics);
}

bool wait_for_effects(Process& process, const WaitOrStop& wait) {
    bool said = false;
    do {
        const auto recorded = record_ours(process);
        if (!recorded) {
            process.readiness.set_unready(effects_concern,
                                          "which effects are in force cannot be read: " + recorded.error());
        } else if (tell_effects(process, *recorded)) {
            return true;
        } else if (!std::exchange(said, true)) {
            tell_outdated(process, **recorded);
        }
    } while (wait(between_looks_at_effects));
    return false;
}

EffectsGuard::EffectsGuard(Process& process)
    : process_{process}, thread_{[this](const std::stop_token& stop) { run(stop); }} {}

EffectsGuard::~EffectsGuard() = default;

void EffectsGuard::run(const std::stop_token& stop) {
    name_this_thread("effects-guard");
    while (!stop.stop_requested() && !outdated_) {
        look();
        std::unique_lock lock{mutex_};
        wake_.wait_for(lock, stop, between_looks_at_effects, [] { return false; });
    }
}

void EffectsGuard::look() {
    if (connection_ && !connection_->alive()) connection_.reset();
    if (!connection_) {
        auto opened = store::Connection::open(process_.config.mysql);
        if (!opened) return;  // nobody commits without MySQL either
        connection_ = std::move(*opened);
    }
    // Recorded again, where a fail-over of MySQL has lost it.
    const auto recorded =
        store::agree_on_effects(*connection_, process_.config.effects.version(), process_.clock.wall());
    if (!recorded) {
        connection_.reset();
        return;
    }
    if (tell_effects(process_, *recorded)) return;
    tell_outdated(process_, **recorded);
    outdated_ = true;
}

}  // namespace sluice::consumer
