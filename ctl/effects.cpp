#include <memory>

#include "common/crypto/encoding.hpp"
#include "common/time_text.hpp"
#include "consumer/effects/effect_set.hpp"
#include "consumer/store/effects_version.hpp"
#include "consumer/store/error.hpp"
#include "ctl/commands.hpp"
#include "ctl/database.hpp"
#include "ctl/options.hpp"
#include "ctl/table.hpp"

namespace sluice::ctl {
namespace {

struct EffectsOptions {
    CommonOptions common;
    bool apply = false;
};

constexpr int no_such_table = 1146;

using Recorded = std::optional<store::EffectsInForce>;

std::string short_digest(const store::EffectsVersion& version) {
    return crypto::to_hex(version.digest).substr(0, 12);
}

std::string_view word_of(const store::EffectsVersion& ours, const Recorded& recorded) {
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
        return "Other effects are in force under the file's revision: give the file a higher "
               "effects_revision. "
               "--apply puts its effects in force under the next one.\n";
    return "The file's effects were overtaken, and consumers that have it apply nothing. --apply puts them "
           "in "
           "force again.\n";
}

std::string effects_for_people(const store::EffectsVersion& ours, const Recorded& recorded,
                               std::string_view word) {
    Table table{{"EFFECTS", "REVISION", "DIGEST", "SINCE"}};
    table.row({"of the file", std::to_string(ours.revision), short_digest(ours)});
    if (recorded)
        table.row({"in force", std::to_string(recorded->version.revision), short_digest(recorded->version),
                   to_rfc3339(recorded->since)});
    return table.text() + "\n" + sentence_of(word);
}

Json effects_as_json(const store::EffectsVersion& ours, const Recorded& recorded, std::string_view word) {
    const auto json = [](const store::EffectsVersion& version) -> Json {
        return {{"revision", version.revision}, {"digest", crypto::to_hex(version.digest)}};
    };
    Json in_force = nullptr;
    if (recorded) {
        in_force = json(recorded->version);
        in_force["since"] = to_rfc3339(recorded->since);
    }
    return {{"file", json(ours)}, {"in_force", std::move(in_force)}, {"standing", std::string{word}}};
}

/// What is recorded, after --apply what is recorded then. Before the migrations that is nothing.
Recorded ask(const EffectsOptions& options, const config::MysqlSettings& settings,
             const store::EffectsVersion& ours) {
    const auto connection = open_database(settings);
    const auto recorded = options.apply ? store::put_effects_in_force(*connection, ours, SystemClock{}.wall())
                                        : store::effects_in_force(*connection);
    if (!recorded && recorded.error() == std::error_code{no_such_table, store::category()})
        return std::nullopt;
    return value_or_stop(recorded, settings, *connection);
}

Exit show_effects(const EffectsOptions& options, Console& console) {
    config::Problems problems;
    const config::Document document = open_config(options.common, problems);
    const config::MysqlSettings settings = config::read_mysql(document, problems);
    const auto sources = verify::read_sources_without_keys(document, problems);
    const store::EffectsVersion ours = effects::EffectSet::read(document, sources, problems).version();
    refuse_if_any(problems, console);
    const Recorded recorded = ask(options, settings, ours);
    const std::string_view word = word_of(ours, recorded);
    print(console, options.common.chosen_form(), effects_as_json(ours, recorded, word),
          effects_for_people(ours, recorded, word));
    return word == "in_force" || word == "next" ? Exit::ok : Exit::no;
}

}  // namespace

void add_effects(CLI::App& program, Console& console) {
    const auto options = std::make_shared<EffectsOptions>();
    CLI::App& command = *program.add_subcommand(
        "effects", "Which effects are in force over all consumers, and whether they are the file's");
    add_config_option(command, options->common);
    command.add_flag("--apply", options->apply,
                     "Put the file's effects in force where its effects_revision does not: after a rollback");
    add_output_options(command, options->common);
    add_footer(
        command,
        "  sluicectl effects --config sluice.yaml\n"
        "  sluicectl effects --config sluice.yaml --apply\n\n"
        "Exit status: 0 they are, or will be as soon as a consumer starts with the file; 1 others are.\n");
    command.callback([options, &console] { console.exit = show_effects(*options, console); });
}

}  // namespace sluice::ctl
