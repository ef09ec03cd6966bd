#include "ctl/migrate/migrate_effects.hpp"

#include <algorithm>

#include "consumer/effects/effect_set/effect_set.hpp"
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

/// What the effects still lack, of these tables or others.
std::string lacks_of(const effects::EffectSet& effects, const config::MysqlSettings& settings,
                     store::Connection& connection, Console& console) {
    config::Problems problems;
    const auto lacks = value_or_stop(effects.check(connection, problems), settings, connection);
    refuse_if_any(problems, console);
    std::string text;
    for (const auto& lack : lacks) text += lack.sentence + "\n";
    return text;
}

Plans apply_all(const effects::EffectSet& effects, const config::MysqlSettings& settings,
                store::Connection& connection, Console& console) {
    auto plans = value_or_stop(plan_tables(effects, connection), settings, connection);
    for (const auto& plan : plans) {
        if (plan.statement.empty()) continue;
        console.err << (plan.is_missing ? "making " : "widening ") << plan.table << '\n' << std::flush;
        if (const auto done = connection.run(plan.statement); !done)
            stop_on(settings, connection, done.error());
    }
    return plans;
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
    const auto plans = apply ? apply_all(effects, settings, *connection, console)
                             : value_or_stop(plan_tables(effects, *connection), settings, *connection);
    Json json{{"database", settings.database}, {"applied", apply}, {"tables", json_of(plans)}};
    std::string people = people_of(plans);
    if (!apply) {
        if (has_work(plans)) people += "\nNothing was changed. --apply runs these statements.\n";
        print(console, options.chosen_form(), json, people);
        return differs(plans) ? Exit::no : Exit::ok;
    }
    const std::string lacks = lacks_of(effects, settings, *connection, console);
    json["lacks"] = lacks.empty() ? Json(nullptr) : Json(lacks);
    if (has_work(plans)) people += "\nThese statements were run.\n";
    print(console, options.chosen_form(), json, people + lacks);
    return lacks.empty() && !differs(plans) ? Exit::ok : Exit::no;
}

}  // namespace sluice::ctl
