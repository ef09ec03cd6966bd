#include <format>
#include <memory>

#include "common/webhook/source_file/key_derivation.hpp"
#include "ctl/cli/commands.hpp"
#include "ctl/cli/database.hpp"
#include "ctl/cli/options.hpp"
#include "ctl/keys/key_list.hpp"

namespace sluice::ctl {
namespace {

struct KeysOptions : SignedBy {
    CommonOptions common;
    bool apply = false;
};

/// The file's sources beside what MySQL has of them.
struct KeysThere {
    config::MysqlSettings mysql;
    std::vector<record::SourceKeys> configured;
    std::unique_ptr<store::Connection> connection{};
    std::vector<store::RecordedKeys> recorded{};

    [[nodiscard]] std::vector<KeyLine> lines() const { return compare_keys(recorded, configured); }
    [[nodiscard]] std::vector<record::KeyChange> changes() const {
        std::vector<record::SourceKeys> before;
        for (const auto& row : recorded) before.push_back(row.keys);
        return record::changed_keys(before, configured);
    }
};

KeysThere keys_there(const KeysOptions& options, Console& console) {
    config::Problems problems;
    const config::Document document = open_config(options.common, problems);
    KeysThere there{config::read_mysql(document, problems),
                    webhook::keys_of(webhook::read_sources_without_keys(document, problems))};
    refuse_if_any(problems, console);
    there.connection = open_database(there.mysql);
    there.recorded = value_or_stop(store::recorded_keys(*there.connection), there.mysql, *there.connection);
    return there;
}

Exit list_keys(const KeysOptions& options, Console& console) {
    const auto lines = keys_there(options, console).lines();
    print(console, options.common.chosen_form(), to_json(lines), to_people(lines));
    return has_changes(lines) ? Exit::no : Exit::ok;
}

/// What waits under the keys that are to go: it would not hold back what comes under the new ones.
void refuse_while_events_wait(const KeysThere& there, const std::vector<record::KeyChange>& changes) {
    for (const auto& [before, now] : changes) {
        const auto waiting = value_or_stop(
            store::count_unfinished_objects(*there.connection, before.provider, before.principal),
            there.mysql, *there.connection);
        if (waiting == 0) continue;
        throw Stopped{Exit::no, std::format("{} objects of {}/{} have events that wait under their old keys: "
                                            "finish those with the old file first (sluicectl lane list)",
                                            waiting, before.provider, before.principal)};
    }
}

std::string warning_of(const record::KeyChange& change) {
    const auto& [before, now] = change;
    if (before.provider == now.provider && before.principal == now.principal) return {};
    return std::format(
        "\nWarning: {} is another account now: {}/{} was {}/{}. An event that was applied under the old one "
        "is\n"
        "applied again when the provider sends it again. docs/upgrade.md, \"Another principal, id, mode or "
        "day\",\n"
        "has the steps that avoid it.\n",
        now.path, now.provider, now.principal, before.provider, before.principal);
}

std::string said_of(const std::vector<record::KeyChange>& changes, bool applied) {
    if (changes.empty()) return "\nThe file makes keys as recorded: there is nothing to accept.\n";
    std::string said;
    for (const auto& change : changes) said += warning_of(change);
    if (!applied) return said + "\nNothing was changed. --apply accepts what the file says.\n";
    return said + std::format("\nAccepted for {} paths. Processes that wait for it continue by themselves.\n",
                              changes.size());
}

Exit accept_changes(const KeysOptions& options, Console& console) {
    const KeysThere there = keys_there(options, console);
    const auto changes = there.changes();
    refuse_while_events_wait(there, changes);
    const bool applies = options.apply && !changes.empty();
    if (applies) {
        refuse_unless_signed(options);
        std::vector<record::SourceKeys> accepted;
        for (const auto& change : changes) accepted.push_back(change.now);
        const auto done = store::accept_keys(*there.connection, accepted,
                                             {options.operator_name, options.reason, console.clock.wall()});
        if (!done) stop_on(there.mysql, *there.connection, done.error());
    }
    const auto lines = there.lines();
    Json json = to_json(lines);
    json["accepted"] = applies;
    print(console, options.common.chosen_form(), json, to_people(lines) + said_of(changes, applies));
    return Exit::ok;
}

void add_keys_list(CLI::App& keys, Console& console) {
    const auto options = std::make_shared<KeysOptions>();
    CLI::App& command = *keys.add_subcommand("list",
                                             "For each path of the file, whether the keys of its events are "
                                             "made as recorded; exits with 1 if not");
    add_config_option(command, options->common);
    add_output_options(command, options->common);
    add_footer(command,
               "  sluicectl keys list --config new.yaml\n"
               "  sluicectl keys list --json\n");
    command.callback([options, &console] { console.exit = list_keys(*options, console); });
}

void add_keys_accept(CLI::App& keys, Console& console) {
    const auto options = std::make_shared<KeysOptions>();
    CLI::App& command = *keys.add_subcommand(
        "accept", "Record what the file makes keys of, after the steps of docs/upgrade.md");
    add_config_option(command, options->common);
    add_operator_and_reason(command, *options);
    command.add_flag("--apply", options->apply, "Record it; without it, only show the changes");
    add_output_options(command, options->common);
    add_footer(
        command,
        "  sluicectl keys accept --config new.yaml\n"
        "  sluicectl keys accept --config new.yaml --operator ada --reason 'order by invoice' --apply\n"
        "\nIt refuses while events of that account wait in MySQL. Make sure yourself that none of its events "
        "is unread in\n"
        "Kafka and that the provider sends none again: docs/upgrade.md, \"What keys are made of\".\n");
    command.callback([options, &console] { console.exit = accept_changes(*options, console); });
}

}  // namespace

void add_keys(CLI::App& program, Console& console) {
    CLI::App& keys = *program.add_subcommand(
        "keys", "What the keys of events are made of, as recorded and as in the file");
    keys.require_subcommand(1);
    add_keys_list(keys, console);
    add_keys_accept(keys, console);
}

}  // namespace sluice::ctl
