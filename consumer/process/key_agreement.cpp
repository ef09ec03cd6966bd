#include "consumer/process/key_agreement.hpp"

#include <optional>

#include "common/webhook/source_file/key_derivation.hpp"
#include "consumer/store/driver/connection.hpp"
#include "consumer/store/schema/source_keys.hpp"

namespace sluice::consumer {
namespace {

constexpr Milliseconds between_looks_at_keys{1000};

struct Agreement {
    std::string trouble;          // empty: all is well
    std::optional<bool> changed;  // nullopt: not known now
};

Agreement look_at_keys(const Config& config, WallTime now) {
    const std::string recorded = "cannot read from MySQL what the keys are made of: ";
    store::ServerError error;
    const auto connection = store::Connection::open(config.mysql, &error);
    if (!connection) return {recorded + error.message, std::nullopt};
    const auto changes = store::agree_on_keys(**connection, webhook::keys_of(config.sources), now);
    if (!changes) return {recorded + (*connection)->last_error().message, std::nullopt};
    if (changes->empty()) return {{}, false};
    return {record::keys_changed(*changes), true};
}

}  // namespace

Gauge& keys_changed_gauge(Metrics& metrics) {
    return metrics.gauge("sluice_consumer_keys_changed",
                         "1 while the process does nothing because the file makes the keys of events in "
                         "another way than before");
}

bool wait_for_keys(const Config& config, const Clock& clock, Log& log, Metrics& metrics, Readiness& readiness,
                   const WaitOrStop& wait) {
    Gauge& changed = keys_changed_gauge(metrics);
    std::string said;
    while (true) {
        const Agreement agreement = look_at_keys(config, clock.wall());
        if (agreement.changed) changed.Set(*agreement.changed ? 1 : 0);
        if (agreement.trouble.empty()) {
            readiness.set_ready("keys");
            return true;
        }
        readiness.set_unready("keys", agreement.trouble);
        if (agreement.trouble != said)
            log.error(agreement.changed.value_or(false) ? "keys_changed" : "waiting_for_database",
                      {{"reason", agreement.trouble}});
        said = agreement.trouble;
        if (!wait(between_looks_at_keys)) return false;
    }
}

}  // namespace sluice::consumer
