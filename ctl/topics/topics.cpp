#include <algorithm>
#include <memory>
#include <optional>

#include "consumer/destination/destination.hpp"
#include "ctl/cli/commands.hpp"
#include "ctl/cli/embedded.hpp"
#include "ctl/cli/file_content.hpp"
#include "ctl/cli/options.hpp"
#include "ctl/topics/kafka_admin.hpp"
#include "ctl/topics/topic_plan.hpp"

namespace sluice::ctl {
namespace {

struct TopicsOptions {
    CommonOptions common;
    std::string file;
    std::optional<int> partitions;
    std::optional<int> replication;
    bool apply = false;
    bool destinations = false;
};

std::vector<TopicWish> wishes_of(const TopicsOptions& options, const TopicNames& names, Console& console) {
    config::Problems problems;
    const config::KafkaSettings& settings = names.kafka;
    const auto& built_in = kafka_topics().front();
    auto wishes =
        options.file.empty()
            ? read_topic_wishes(std::string{built_in.content}, std::string{built_in.name}, names, problems)
            : read_topic_wishes(file_content(options.file), options.file, names, problems);
    refuse_if_any(problems, console);
    override_wishes(wishes, options.partitions, options.replication);
    for (auto& wish : wishes) {
        if (!wish.as_main || settings.partitions == 0 || options.partitions) continue;
        wish.partitions = settings.partitions;
        wish.partitions_asked_for = wish.role == "main";
    }
    for (auto& wish : wishes) wish.partitions_asked_for |= !options.file.empty();
    return wishes;
}

/// Topics of destinations are their readers': one that is there is right as it is.
void add_missing_of_destinations(KafkaAdmin& kafka, const config::Document& document,
                                 std::vector<TopicLine>& lines) {
    for (const auto& [name, to] : destination::read_destinations(document)) {
        const auto* topic = std::get_if<destination::Topic>(&to);
        if (topic == nullptr || kafka.facts(topic->name)) continue;
        TopicWish wish = lines.front().wish;  // of the main topic: as many partitions and copies
        wish.role = "destination";
        wish.name = topic->name;
        lines.push_back({.wish = std::move(wish), .facts = {}, .shortfalls = {}});
    }
}

void create_missing(KafkaAdmin& kafka, std::vector<TopicLine>& lines, Console& console) {
    for (auto& line : lines) {
        if (line.facts) continue;
        console.err << "creating " << line.wish.name << '\n' << std::flush;
        kafka.create(line.wish);
        line.created = true;
    }
}

std::string hint_for(const TopicsOptions& options, const std::vector<TopicLine>& lines) {
    const bool any_missing =
        std::ranges::any_of(lines, [](const auto& line) { return line.state() == "missing"; });
    return any_missing && !options.apply ? "\nNothing was changed. --apply creates what is missing.\n" : "";
}

Exit topics(const TopicsOptions& options, Console& console) {
    config::Problems problems;
    const config::Document document = open_config(options.common, problems);
    const TopicNames names = read_topic_names(document, problems);
    if (!names.has_webhooks && names.hot.empty())
        throw Stopped{Exit::usage,
                      "the file has no sources, and no command of hot accounts: no topic is needed"};
    refuse_if_any(problems, console);
    if (!names.has_webhooks)
        console.err << "The file has commands and no sources: topics of webhooks are left out.\n";
    const std::vector<TopicWish> wishes = wishes_of(options, names, console);
    KafkaAdmin kafka{names.kafka};
    kafka.reach();
    std::vector<TopicLine> lines;
    for (const auto& wish : wishes) lines.push_back(compare(wish, kafka.facts(wish.name)));
    if (options.destinations) add_missing_of_destinations(kafka, document, lines);
    if (options.apply) create_missing(kafka, lines, console);
    print(console, options.common.chosen_form(), to_json(lines), to_people(lines) + hint_for(options, lines));
    const bool falls_short =
        std::ranges::any_of(lines, [](const auto& line) { return !line.shortfalls.empty(); });
    return falls_short ? Exit::no : Exit::ok;
}

}  // namespace

void add_topics(CLI::App& program, Console& console) {
    const auto options = std::make_shared<TopicsOptions>();
    CLI::App& command = *program.add_subcommand(
        "topics", "Show which Kafka topics are missing or not as they should be, and create missing ones");
    add_config_option(command, options->common);
    command.add_flag("--apply", options->apply,
                     "Create missing topics; existing ones are never changed or deleted");
    command
        .add_option("--partitions", options->partitions,
                    "Of the main topic, and of those that follow it in deploy/kafka/topics.yaml")
        ->check(CLI::Range(1, 10'000).description(""))
        ->type_name("N");
    command
        .add_option("--replication", options->replication, "Of every topic, instead of kafka.min_replication")
        ->check(CLI::Range(1, 100).description(""))
        ->type_name("N");
    command.add_flag(
        "--destinations", options->destinations,
        "The topics of destinations too, where they are missing, with the main topic's settings");
    command.add_option("--file", options->file, "Instead of the built-in deploy/kafka/topics.yaml")
        ->type_name("FILE");
    add_output_options(command, options->common);
    add_footer(command,
               "  sluicectl topics --config sluice.yaml\n"
               "  sluicectl topics --config sluice.yaml --apply --partitions 24\n"
               "  sluicectl topics --config sluice.yaml --apply --destinations\n");
    command.callback([options, &console] { console.exit = topics(*options, console); });
}

}  // namespace sluice::ctl
