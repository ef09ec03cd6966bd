#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/config/settings/connections.hpp"
#include "consumer/effects/effect_set/effect_set.hpp"
#include "consumer/store/outbox/outbox_list.hpp"
#include "consumer/store/schema/migration.hpp"
#include "ctl/doctor/finding.hpp"

namespace sluice::ctl {

/// What a server says of itself and of our tables.
struct MysqlFacts {
    std::map<std::string, std::string> variables;  ///< global ones; those that it does not know are absent
    bool is_mariadb = false;
    store::MigrationPlan migrations;
    std::optional<std::string> group;                 ///< whose database it is; nullopt: no group's yet
    std::optional<int> days_ahead;                    ///< of the inbox's partitions; nullopt: no inbox yet
    std::optional<std::int64_t> prepared_statements;  ///< of all sessions, now
    std::optional<WallTime> time;
    std::vector<store::MessageCount> waiting;  ///< messages, by destination
};

struct MysqlDemands {
    std::string group;                        ///< kafka.group; empty: not known, not compared
    std::size_t largest_body = 1 << 20;       ///< bytes
    std::vector<std::string> destinations{};  ///< of messages, in the file
};

/// Pure.
[[nodiscard]] Findings judge_mysql(const MysqlFacts& facts, const MysqlDemands& demands, WallTime now);

/// Connects (which asserts strict mode and isolation) and asks. Changes nothing.
[[nodiscard]] Findings check_mysql(const config::MysqlSettings& settings, const MysqlDemands& demands,
                                   const Clock& clock);

/// Whether every statement of the effects would run: one finding, naming the first that would not with its
/// file and line. Nothing is run.
[[nodiscard]] Findings check_effects(const config::MysqlSettings& settings,
                                     const effects::EffectSet& effects);

}  // namespace sluice::ctl
