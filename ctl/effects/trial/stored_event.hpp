#pragma once

#include <string>
#include <vector>

#include "common/config/settings/connections.hpp"
#include "common/webhook/recipe/source.hpp"
#include "consumer/store/driver/connection.hpp"
#include "ctl/effects/trial/trial_event.hpp"

namespace sluice::ctl {

/// Where events that came stand.
struct Stored {
    store::Connection& connection;
    const config::MysqlSettings& mysql;
    const config::KafkaSettings& kafka;
    const webhook::SourceSet& sources;
};

/// Every event of this id with its record, as it would be run: from its lane (with what an operator has made
/// of its body), from its entry, from the archive, else from Kafka. `id`: the provider's, or an entry's.
/// Throws Stopped where there is none, or one's record is nowhere any more.
[[nodiscard]] std::vector<TrialEvent> stored_events(const std::string& id, const Stored& where);

}  // namespace sluice::ctl
