#include <format>
#include <memory>

#include "consumer/store/retention/maintenance.hpp"
#include "consumer/store/schema/migration.hpp"
#include "ctl/cli/commands.hpp"
#include "ctl/cli/database.hpp"
#include "ctl/cli/options.hpp"
#include "ctl/cli/table.hpp"
#include "ctl/migrate/migrate_effects.hpp"

namespace sluice::ctl {
namespace {

struct MigrateOptions {
    CommonOptions common;
    bool apply = false;
    bool effects = false;
};

std::string people_of(const store::MigrationPlan& plan, const std::string& database) {
    std::string text;
    if (plan.pending.empty() && plan.problems.empty()) text = database + " is up to date\n";
    if (!plan.pending.empty()) {
        Table table{{"MIGRATION", "STATE"}};
        for (const auto& migration : plan.pending) table.row({std::string{migration.name}, "to be applied"});
        text = table.text() + "\nNothing was changed. --apply applies them to " + database +
               " and adds the partitions of the first week.\n";
    }
    for (const auto& problem : plan.problems) text += problem + "\n";
    if (plan.newer != 0)
        text += std::format("{} migrations in the database are newer than this program; that is fine\n",
                            plan.newer);
    return text;
}

Json json_of(const store::MigrationPlan& plan, const std::string& database) {
    Json pending = Json::array();
    for (const auto& migration : plan.pending) {
        pending.push_back({{"version", migration.version}, {"name", std::string{migration.name}}});
    }
    return {{"database", database},
            {"applied", Json::array()},
            {"pending", std::move(pending)},
            {"problems", plan.problems},
            {"newer", plan.newer}};
}

Exit show_plan(store::Connection& connection, const config::MysqlSettings& settings, Form form,
               Console& console) {
    const auto plan = store::plan_migrations(connection);
    if (!plan) stop_on(settings, connection, plan.error());
    print(console, form, json_of(*plan, settings.database), people_of(*plan, settings.database));
    return plan->problems.empty() ? Exit::ok : Exit::no;
}

struct Target {
    const config::MysqlSettings& settings;
    std::chrono::days keep;
};

/// For fresh tables, so that no consumer's first minute changes them. How many; consumers make what is
/// missing.
int first_partitions(store::Connection& connection, const Target& target, Console& console) {
    const auto made = store::make_partitions(connection, target.keep, SystemClock{}.wall());
    if (!made) {
        console.err << "the consumer will add the partitions: "
                    << complaint_of(target.settings, connection.last_error()) << '\n'
                    << std::flush;
    }
    return made.value_or(0);
}

Exit apply(store::Connection& connection, const Target& target, Form form, Console& console) {
    const config::MysqlSettings& settings = target.settings;
    Json applied = Json::array();
    const auto on_step = [&](const store::Migration& migration, std::size_t statement) {
        const std::string name{migration.name};
        if (applied.empty() || applied.back() != name) applied.push_back(name);
        console.err << std::format("{}: statement {}", name, statement) << '\n' << std::flush;
    };
    const auto outcome = store::migrate(connection, on_step);
    if (!outcome) stop_on(settings, connection, outcome.error());
    const int partitions = outcome->applied > 0 ? first_partitions(connection, target, console) : 0;
    std::string people = outcome->applied == 0 ? settings.database + " was up to date\n"
                                               : std::format("{} migrations applied to {}\n",
                                                             outcome->applied, settings.database);
    if (partitions > 0)
        people += std::format("{} partitions added, for today and the following week\n", partitions);
    for (const auto& problem : outcome->problems) people += problem + "\n";
    const Json json{{"database", settings.database},
                    {"applied", std::move(applied)},
                    {"partitions", partitions},
                    {"pending", Json::array()},
                    {"problems", outcome->problems}};
    print(console, form, json, people);
    return outcome->problems.empty() ? Exit::ok : Exit::no;
}

Exit migrate(const MigrateOptions& options, Console& console) {
    config::Problems problems;
    const config::Document document = open_config(options.common, problems);
    const config::MysqlSettings settings = config::read_mysql(document, problems);
    const config::InboxSettings inbox = config::read_inbox(document, problems);
    refuse_if_any(problems, console);
    const auto connection = open_database(settings, store::maintenance_patience());
    const Form form = options.common.chosen_form();
    return options.apply ? apply(*connection, {settings, inbox.keep}, form, console)
                         : show_plan(*connection, settings, form, console);
}

}  // namespace

void add_migrate(CLI::App& program, Console& console) {
    const auto options = std::make_shared<MigrateOptions>();
    CLI::App& command = *program.add_subcommand(
        "migrate", "Show which migrations of the MySQL tables are missing, and apply them");
    add_config_option(command, options->common);
    command.add_flag("--apply", options->apply, "Apply what is missing; without it, only show it");
    command.add_flag("--effects", options->effects,
                     "Instead, make the tables of the file's mirrors, and add columns that they lack");
    add_output_options(command, options->common);
    add_footer(command,
               "  sluicectl migrate --config sluice.yaml\n"
               "  sluicectl migrate --config sluice.yaml --apply\n"
               "  sluicectl migrate --config sluice.yaml --effects --apply\n");
    command.callback([options, &console] {
        console.exit = options->effects ? migrate_effects(options->common, options->apply, console)
                                        : migrate(*options, console);
    });
}

}  // namespace sluice::ctl
