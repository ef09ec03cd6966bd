#include <algorithm>
#include <memory>

#include "common/joined.hpp"
#include "consumer/effects/batch/batch_plan.hpp"
#include "consumer/effects/set_based/change_effect.hpp"
#include "ctl/cli/database.hpp"
#include "ctl/cli/exit.hpp"
#include "ctl/cli/options.hpp"
#include "ctl/cli/table.hpp"
#include "ctl/effects/effects_commands.hpp"
#include "ctl/effects/explain/explanation.hpp"

namespace sluice::ctl {
namespace {

struct ExplainOptions {
    CommonOptions common;
    std::string type;
    std::string source;
    bool ask_server = false;
};

/// What only the server knows, asked for with --server.
struct Answer {
    std::string trouble{};  ///< why it could not be asked
    std::vector<effects::Lack> held{};
    std::vector<std::string>
        alone{};  ///< set-based effects of which a change is made one at a time after all
};

Answer ask(const effects::EffectSet& effects, const config::MysqlSettings& settings) {
    store::ServerError error;
    const auto connection = store::Connection::open(settings, &error);
    if (!connection) return {.trouble = complaint_of(settings, error)};
    Answer answer;
    config::Problems problems;
    const auto missing = effects.check(**connection, problems);
    if (!missing) return {.trouble = complaint_of(settings, (*connection)->last_error())};
    if (problems.any()) throw config::Refused{problems.report()};
    answer.held = *missing;
    if (!missing->empty()) return answer;  // what is not there cannot be looked at
    const auto plan = effects::plan_batches(effects::pointers_to(effects), **connection);
    if (!plan) return {.trouble = complaint_of(settings, (*connection)->last_error())};
    for (const auto& effect : effects.all()) {
        if (effect->set_based() == nullptr) continue;
        const auto is_alone = [&plan](const effects::Change& change) {
            const auto target = plan->targets.find(&change);
            return target == plan->targets.end() || !target->second.together;
        };
        if (std::ranges::any_of(effect->set_based()->changes(), is_alone))
            answer.alone.push_back(effect->name());
    }
    return answer;
}

Json to_json(const Explanation& explanation) {
    Json effects = Json::array();
    for (const auto& effect : explanation.effects)
        effects.push_back(
            {{"name", effect.name}, {"matches", effect.matches}, {"why", effect.why}, {"runs", effect.way}});
    return {{"source", explanation.source}, {"like", explanation.like}, {"effects", std::move(effects)}};
}

std::string to_people(const Explanation& explanation) {
    Table table{{"EFFECT", "MATCHES", "WHY", "RUNS"}};
    for (const auto& effect : explanation.effects)
        table.row({effect.name, effect.matches ? "yes" : "no", effect.why, effect.matches ? effect.way : ""});
    return "source " + explanation.source + ", like " + explanation.like + "\n" + table.text();
}

std::string to_people(const Answer& answer) {
    if (!answer.trouble.empty())
        return "\nWhich effects are held is not known, since the server could not be asked: " +
               answer.trouble + "\n";
    std::string text;
    for (const auto& lack : answer.held) text += "\nheld: " + lack.effect + ": " + lack.sentence;
    if (text.empty()) text = "\nNo effect lacks anything on the server, so none is held.";
    return text + "\n";
}

Json to_json(const Answer& answer) {
    Json held = Json::array();
    for (const auto& lack : answer.held) held.push_back({{"effect", lack.effect}, {"reason", lack.sentence}});
    return {{"trouble", answer.trouble.empty() ? Json(nullptr) : Json(answer.trouble)},
            {"held", std::move(held)}};
}

void correct_ways(std::vector<Explanation>& explanations, const Answer& answer) {
    for (auto& explanation : explanations) {
        for (auto& effect : explanation.effects) {
            if (std::ranges::contains(answer.alone, effect.name))
                effect.way = "one event at a time: what its tables have does not allow more";
        }
    }
}

webhook::SourceSet chosen(const webhook::SourceSet& sources, const std::string& name) {
    if (name.empty()) return sources;
    for (const auto& source : sources) {
        if (source->name == name) return {source};
    }
    throw Stopped{Exit::usage, "there is no source \"" + name + "\"; the sources are: " +
                                   joined(sources, ", ", [](const auto& source) { return source->name; })};
}

Exit explain_effects(const ExplainOptions& options, Console& console) {
    config::Problems problems;
    const config::Document document = open_config(options.common, problems);
    const auto sources = webhook::read_sources_without_keys(document, problems);
    const auto effects = effects::EffectSet::read(document, sources, problems);
    std::optional<config::MysqlSettings> settings;
    if (options.ask_server) settings = config::read_mysql(document, problems);
    refuse_if_any(problems, console);
    const auto from = chosen(sources, options.source);
    auto explanations = explain(options.type, from, effects, console.clock.wall());
    const std::string doubt = doubt_about(options.type, from, effects);
    std::optional<Answer> answer;
    if (settings) answer = ask(effects, *settings);
    if (answer) correct_ways(explanations, *answer);
    Json sources_json = Json::array();
    std::string people = doubt.empty() ? "" : doubt + "\n\n";
    bool any_matches = false;
    for (const auto& one : explanations) {
        sources_json.push_back(to_json(one));
        people += (&one == explanations.data() ? "" : "\n") + to_people(one);
        any_matches = any_matches || std::ranges::contains(one.effects, true, &ExplainedEffect::matches);
    }
    if (answer) people += to_people(*answer);
    Json json{{"type", options.type},
              {"doubt", doubt.empty() ? Json(nullptr) : Json(doubt)},
              {"sources", std::move(sources_json)}};
    if (answer) json["server"] = to_json(*answer);
    print(console, options.common.chosen_form(), json, people);
    return any_matches ? Exit::ok : Exit::no;
}

}  // namespace

void add_effects_explain(CLI::App& effects, Console& console) {
    const auto options = std::make_shared<ExplainOptions>();
    CLI::App& command = *effects.add_subcommand(
        "explain", "Which effects match events of a type, why the others do not, and how they run");
    add_config_option(command, options->common);
    command.add_option("TYPE", options->type, "The provider's type of an event")->required();
    command.add_option("--source", options->source, "Only for events of this source")->type_name("NAME");
    command.add_flag("--server", options->ask_server,
                     "Ask MySQL too: which effects lack something, and are held for that");
    add_output_options(command, options->common);
    add_footer(command,
               "  sluicectl effects explain payment_intent.succeeded\n"
               "  sluicectl effects explain TRANSACTION.SUCCESS --source wechat --json\n"
               "  sluicectl effects explain payment_intent.succeeded --server\n"
               "\nExit status: 0 an effect matches; 1 none does, so such events are ignored.\n");
    command.callback([options, &console] { console.exit = explain_effects(*options, console); });
}

}  // namespace sluice::ctl
