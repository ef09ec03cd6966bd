#include <memory>

#include "common/record/marker_key.hpp"
#include "ctl/cli/commands.hpp"
#include "ctl/cli/options.hpp"
#include "ctl/markers/forget.hpp"
#include "ctl/topics/kafka_admin.hpp"

namespace sluice::ctl {
namespace {

struct MarkersOptions {
    CommonOptions common;
    bool apply = false;
};

struct Settings {
    config::KafkaSettings kafka;
    config::RedisSettings redis;
};

Settings settings_of(const MarkersOptions& options, Console& console) {
    config::Problems problems;
    const config::Document document = open_config(options.common, problems);
    Settings settings{config::read_kafka(document, problems), config::read_redis(document, problems)};
    refuse_if_any(problems, console);
    return settings;
}

/// Markers are about one life of one topic, and Kafka alone says which that is.
std::string epoch_now(const Settings& settings) {
    KafkaAdmin kafka{settings.kafka};
    kafka.reach();
    const auto facts = kafka.facts(settings.kafka.topic);
    if (!facts)
        throw Stopped{Exit::no, settings.kafka.topic +
                                    " does not exist, so the markers in Redis are about another topic"};
    return record::marker_epoch(facts->cluster_id, facts->topic_id, settings.redis.epoch);
}

Exit forget(const MarkersOptions& options, Console& console) {
    const Settings settings = settings_of(options, console);
    const std::string epoch = epoch_now(settings);
    std::vector<MarkersThere> servers;
    std::string failures;
    for (const auto& server : settings.redis.servers) {
        auto there = walk_markers(settings.redis, server, epoch, options.apply);
        if (there) {
            servers.push_back(std::move(*there));
        } else {
            failures +=
                "sluicectl: " + server.host + ":" + std::to_string(server.port) + ": " + there.error() + "\n";
        }
    }
    print(console, options.common.chosen_form(), to_json(epoch, servers), to_people(servers, options.apply));
    console.err << failures;
    return failures.empty() ? Exit::ok : Exit::unreachable;
}

}  // namespace

void add_markers(CLI::App& program, Console& console) {
    CLI::App& markers = *program.add_subcommand("markers", "Markers: what Redis knows about events in Kafka");
    markers.require_subcommand(1);
    const auto options = std::make_shared<MarkersOptions>();
    CLI::App& command = *markers.add_subcommand(
        "forget",
        "Delete all markers from every Redis after Kafka has lost records (an unclean election, a restored "
        "disk), so that redeliveries of these events are published again");
    add_config_option(command, options->common);
    command.add_flag("--apply", options->apply, "Delete them; without it, only count them");
    add_output_options(command, options->common);
    add_footer(command,
               "  sluicectl markers forget --config sluice.yaml\n"
               "  sluicectl markers forget --config sluice.yaml --apply\n"
               "\nYou can run it at any time, also repeatedly and while ingress pods run: if an event comes "
               "again, a second\n"
               "record is published, and the consumer drops it.\n");
    command.callback([options, &console] { console.exit = forget(*options, console); });
}

}  // namespace sluice::ctl
