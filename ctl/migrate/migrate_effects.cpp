#include "ctl/migrate/migrate_effects.hpp"

#include <algorithm>

#include "consumer/effects/effect_set/effect_set.hpp"
#include "consumer/store/driver/named_lock.hpp"
#include "consumer/store/retention/maintenance.hpp"
#include "ctl/cli/database.hpp"
#include "ctl/migrate/effect_tables.hpp"

namespace sluice::ctl {
namespace {

using Plans = std::vector<effects::TablePlan>;

bool has_work(const Plans& plans) {
    return std::ranges::any_of(plans, [](const auto& plan) { return !plan.statement.empty(); });
}

bool differs(const Plans& plans) {
    return std::ranges::any_of(plans, [](const auto& plan) { return !plan.differs.empty(); });
}

/// Under a lock, so that of two commands the second finds nothing to do.
void apply_all(const effects::EffectSet& effects, const config::MysqlSettings& settings,
               store::Connection& connection, Console& console) {
    const auto lock = value_or_stop(
        store::NamedLock::acquire(connection, "migrate", std::chrono::seconds{30}), settings, connection);
    if (!lock) throw Stopped{Exit::no, "another migration of this database is running"};
    for (const auto& plan : value_or_stop(plan_tables(effects, connection), settings, connection)) {
        if (plan.statement.empty()) continue;
        console.err << plan.statement << ";\n" << std::flush;
        if (const auto done = connection.run(plan.statement); !done)
            stop_on(settings, connection, done.error());
    }
}

}  // namespace

Exit migrate_effects(const CommonOptions& options, bool apply, Console& console) {
    config::Problems problems;
    const config::Document document = open_config(options, problems);
    const config::MysqlSettings settings = config::read_mysql(document, problems);
    const auto sources = webhook::read_sources_without_keys(document, problems);
    const auto effects = effects::EffectSet::read(document, sources, problems);
    refuse_if_any(problems, console);
    const auto connection = open_database(settings, store::maintenance_patience());
    if (apply) apply_all(effects, settings, *connection, console);
    const auto plans = value_or_stop(plan_tables(effects, *connection), settings, *connection);
    const Json json{{"database", settings.database}, {"applied", apply}, {"tables", json_of(plans)}};
    std::string people = people_of(plans);
    if (has_work(plans)) people += "\nNothing was changed. --apply runs these statements.\n";
    print(console, options.chosen_form(), json, people);
    return differs(plans) ? Exit::no : Exit::ok;
}

}  // namespace sluice::ctl
