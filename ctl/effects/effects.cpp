#include <memory>

#include "common/crypto/encoding.hpp"
#include "common/error.hpp"
#include "common/time_text.hpp"
#include "consumer/effects/effect_set/effect_set.hpp"
#include "consumer/store/driver/error.hpp"
#include "consumer/store/schema/effects_version.hpp"
#include "ctl/cli/commands.hpp"
#include "ctl/cli/database.hpp"
#include "ctl/cli/options.hpp"
#include "ctl/cli/table.hpp"
#include "ctl/effects/effects_commands.hpp"
#include "ctl/operate/run_options.hpp"

namespace sluice::ctl {
namespace {

struct EffectsOptions {
    CommonOptions common;
    RunOptions run;
};

constexpr int no_such_table = 1146;

/// What is recorded, and who put it there if that was a command.
struct Recorded {
    std::optional<store::EffectsInForce> in_force;
    std::optional<std::string> put_by{};
};

std::string short_digest(const store::EffectsVersion& version) {
    return crypto::to_hex(version.digest).substr(0, 12);
}

std::string_view word_of(const store::EffectsVersion& ours,
                         const std::optional<store::EffectsInForce>& recorded) {
    switch (store::standing_of(ours, recorded)) {
        case store::EffectsStanding::differ:
            return "differ";
        case store::EffectsStanding::outdated:
            return "outdated";
        case store::EffectsStanding::in_force:
            break;
    }
    return recorded && recorded->version.digest == ours.digest ? "in_force" : "next";
}

std::string sentence_of(std::string_view word) {
    if (word == "in_force") return "The file's effects are in force.\n";
    if (word == "next") return "The first consumer that starts with the file puts its effects in force.\n";
    if (word == "differ")
        return "Other effects are in force under the file's effects_revision, so consumers that start with "
               "the file wait. Give it a higher effects_revision, or put its effects in force under the next "
               "one with --apply.\n";
    return "The file's effects were replaced, and consumers that have it apply nothing. --apply puts them "
           "in "
           "force again.\n";
}

std::string effects_for_people(const store::EffectsVersion& ours, const Recorded& recorded,
                               std::string_view word) {
    Table table{{"EFFECTS", "REVISION", "DIGEST", "SINCE"}};
    table.row({"of the file", std::to_string(ours.revision), short_digest(ours)});
    std::string put_by;
    if (const auto& there = recorded.in_force) {
        table.row({"in force", std::to_string(there->version.revision), short_digest(there->version),
                   to_rfc3339(there->since)});
        if (recorded.put_by) put_by = "Put in force by " + *recorded.put_by + "\n";
    }
    return table.text() + "\n" + put_by + sentence_of(word);
}

Json effects_as_json(const store::EffectsVersion& ours, const Recorded& recorded, std::string_view word) {
    const auto json = [](const store::EffectsVersion& version) -> Json {
        return {{"revision", version.revision}, {"digest", crypto::to_hex(version.digest)}};
    };
    Json in_force = nullptr;
    if (recorded.in_force) {
        in_force = json(recorded.in_force->version);
        in_force["since"] = to_rfc3339(recorded.in_force->since);
        in_force["put_by"] = recorded.put_by ? Json(*recorded.put_by) : Json(nullptr);
    }
    return {{"file", json(ours)}, {"in_force", std::move(in_force)}, {"standing", std::string{word}}};
}

/// In force, after --apply what is then. Before the migrations that is nothing.
std::optional<store::EffectsInForce> ask(const EffectsOptions& options, const config::MysqlSettings& settings,
                                         const store::EffectsVersion& ours, store::Connection& connection) {
    const auto recorded =
        options.run.apply
            ? store::put_effects_in_force(connection, ours, {options.run.operator_name, options.run.reason},
                                          SystemClock{}.wall())
            : store::effects_in_force(connection);
    if (!recorded && recorded.error() == std::error_code{no_such_table, store::category()})
        return std::nullopt;
    if (!recorded && recorded.error() == errc::out_of_range)
        throw Stopped{Exit::no,
                      "the recorded effects_revision is the highest possible number, so there is none left "
                      "for the file's effects: stop all consumers, run DELETE FROM sluice_meta WHERE name = "
                      "'effects', and start them with the file"};
    return value_or_stop(recorded, settings, connection);
}

Recorded recorded_after(const EffectsOptions& options, const config::MysqlSettings& settings,
                        const store::EffectsVersion& ours) {
    const auto connection = open_database(settings);
    Recorded recorded{.in_force = ask(options, settings, ours, *connection)};
    if (recorded.in_force)
        recorded.put_by = value_or_stop(store::who_put_in_force(*connection, recorded.in_force->version),
                                        settings, *connection);
    return recorded;
}

Exit show_effects(const EffectsOptions& options, Console& console) {
    if (options.run.apply) refuse_unless_signed(options.run);
    config::Problems problems;
    const config::Document document = open_config(options.common, problems);
    const config::MysqlSettings settings = config::read_mysql(document, problems);
    const auto sources = webhook::read_sources_without_keys(document, problems);
    const store::EffectsVersion ours = effects::EffectSet::read(document, sources, problems).version();
    refuse_if_any(problems, console);
    const Recorded recorded = recorded_after(options, settings, ours);
    const std::string_view word = word_of(ours, recorded.in_force);
    print(console, options.common.chosen_form(), effects_as_json(ours, recorded, word),
          effects_for_people(ours, recorded, word));
    return word == "in_force" || word == "next" ? Exit::ok : Exit::no;
}

}  // namespace

void add_effects(CLI::App& program, Console& console) {
    const auto options = std::make_shared<EffectsOptions>();
    CLI::App& command = *program.add_subcommand(
        "effects", "Which effects are in force for all consumers, and whether they are those of the file");
    add_config_option(command, options->common);
    add_operator_and_reason(command, options->run);
    command.add_flag(
        "--apply", options->run.apply,
        "Put the file's effects in force although its effects_revision does not, such as after a rollback");
    add_output_options(command, options->common);
    add_effects_test(command, console);
    add_effects_explain(command, console);
    add_effects_ready(command, console);
    command.require_subcommand(0, 1);
    add_footer(command,
               "  sluicectl effects --config sluice.yaml\n"
               "  sluicectl effects --config sluice.yaml --operator ada --reason 'refunds of 1.4 are wrong' "
               "--apply\n"
               "  sluicectl effects test --sample payment_intent.succeeded\n"
               "  sluicectl effects explain payment_intent.succeeded\n"
               "  sluicectl effects ready stripe.customer\n"
               "\nExit status: 0 the file's effects are in force, or will be once a consumer starts with it; "
               "1 others are.\n");
    command.callback([options, &command, &console] {
        if (command.get_subcommands().empty()) console.exit = show_effects(*options, console);
    });
}

}  // namespace sluice::ctl
