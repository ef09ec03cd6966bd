#include "consumer/process/effects_guard.hpp"

#include <optional>
#include <utility>

#include "common/crypto/encoding.hpp"
#include "common/thread_name.hpp"
#include "common/time_text.hpp"
#include "consumer/store/inbox/applied_offset.hpp"

namespace sluice::consumer {
namespace {

constexpr const char* effects_concern = "effects_revision";
constexpr Milliseconds between_looks_at_effects{500};

std::string revision_text(const store::EffectsVersion& version) {
    return std::to_string(version.revision) + " (" + crypto::to_hex(version.digest).substr(0, 12) + ")";
}

std::string overtaken(const EffectsMemory& memory) {
    return "the effects of this file, revision " + revision_text(memory.ours()) +
           ", were replaced by revision " + revision_text(memory.highest()->version) + " at " +
           to_rfc3339(memory.highest()->since) +
           ": deploy that file here too, or put this one in force with `sluicectl effects --apply`";
}

std::string differing(const EffectsMemory& memory) {
    return "the effects of this file, revision " + revision_text(memory.ours()) +
           ", differ from those recorded under this number, " + revision_text(memory.highest()->version) +
           " at " + to_rfc3339(memory.highest()->since) +
           ": give it a higher effects_revision, or put it in force with `sluicectl effects --apply`";
}

std::string sentence_of(const EffectsMemory& memory) {
    const bool differ = memory.standing() == store::EffectsStanding::differ;
    return (differ ? differing(memory) : overtaken(memory)) +
           (memory.is_lost() ? ". MySQL has lost that record since. A process that has those effects writes "
                               "it again; if there is none, restart this process"
                             : "");
}

Gauge& outdated_gauge(Metrics& metrics) {
    return metrics.gauge(
        "sluice_consumer_effects_outdated",
        "1 while nothing is applied because other effects with a higher effects_revision are in force");
}

Gauge& differ_gauge(Metrics& metrics) {
    return metrics.gauge("sluice_consumer_effects_differ",
                         "1 while nothing is applied because other effects were recorded under the "
                         "effects_revision of the file");
}

/// Reports how ours stand; returns whether they may be applied.
bool tell_effects(Process& process, const EffectsMemory& memory) {
    const auto standing = memory.standing();
    const bool may_apply = standing == store::EffectsStanding::in_force;
    outdated_gauge(process.metrics).Set(standing == store::EffectsStanding::outdated ? 1 : 0);
    differ_gauge(process.metrics).Set(standing == store::EffectsStanding::differ ? 1 : 0);
    if (may_apply) {
        process.readiness.set_ready(effects_concern);
    } else {
        process.readiness.set_unready(effects_concern, sentence_of(memory));
    }
    return may_apply;
}

void log_standing(Process& process, const EffectsMemory& memory) {
    const bool differ = memory.standing() == store::EffectsStanding::differ;
    process.log.error(differ ? "effects_differ" : "effects_outdated", {{"reason", sentence_of(memory)}});
}

/// Reads what is recorded, and records ours where that is allowed and less is recorded.
Result<void> look_at_record(store::Connection& connection, EffectsMemory& memory, WallTime now) {
    const auto ours = memory.to_record();
    const auto recorded =
        ours ? store::agree_on_effects(connection, *ours, now) : store::effects_in_force(connection);
    if (!recorded) return Failure{recorded.error()};
    memory.saw(*recorded);
    return {};
}

/// Why it could not read, if so.
std::optional<std::string> look_once(Process& process, EffectsMemory& memory) {
    store::ServerError error;
    const auto connection = store::Connection::open(process.config.mysql, &error);
    if (!connection) return error.message;
    if (!look_at_record(**connection, memory, process.clock.wall()))
        return (*connection)->last_error().message;
    return std::nullopt;
}

}  // namespace

void export_effects_gauges(Metrics& metrics) {
    (void)outdated_gauge(metrics);
    (void)differ_gauge(metrics);
}

bool wait_for_effects(Process& process, EffectsMemory& memory, const WaitOrStop& wait) {
    bool said = false;
    do {
        if (const auto why = look_once(process, memory)) {
            process.readiness.set_unready(effects_concern, "cannot read which effects are in force: " + *why);
        } else if (tell_effects(process, memory)) {
            return true;
        } else if (!std::exchange(said, true)) {
            log_standing(process, memory);
        }
    } while (wait(between_looks_at_effects));
    return false;
}

EffectsGuard::EffectsGuard(Process& process, const EffectsMemory& memory)
    : process_{process}, memory_{memory}, thread_{[this](const std::stop_token& stop) { run(stop); }} {}

EffectsGuard::~EffectsGuard() = default;

void EffectsGuard::run(const std::stop_token& stop) {
    name_this_thread("effects-guard");
    while (!stop.stop_requested() && !overtaken_) {
        look();
        std::unique_lock lock{mutex_};
        wake_.wait_for(lock, stop, between_looks_at_effects, [] { return false; });
    }
}

void EffectsGuard::look() {
    const bool is_left = process_.server_moves.count() != moves_;  // other sessions have found another server
    if (connection_ && (is_left || !connection_->alive())) connection_.reset();
    if (!connection_) {
        auto opened = store::Connection::open(process_.config.mysql);
        if (!opened) return;  // without MySQL no transaction commits either
        const auto server = store::server_name(**opened);
        if (!server) return;
        moves_ = process_.server_moves.found(*server);
        connection_ = std::move(*opened);
    }
    if (!process_.database_clock.look(*connection_) ||
        !look_at_record(*connection_, memory_, process_.clock.wall())) {
        connection_.reset();
        return;
    }
    if (tell_effects(process_, memory_)) return;
    log_standing(process_, memory_);
    overtaken_ = true;
}

}  // namespace sluice::consumer
