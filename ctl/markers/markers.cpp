#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <vector>

#include "common/config/settings/connections.hpp"
#include "common/record/marker_key.hpp"
#include "common/redis/session.hpp"
#include "ctl/cli/commands.hpp"
#include "ctl/cli/json.hpp"
#include "ctl/cli/options.hpp"
#include "ctl/cli/table.hpp"
#include "ctl/topics/kafka_admin.hpp"

namespace sluice::ctl {
namespace {

constexpr std::chrono::seconds patience{5};

/// What one Redis held of an epoch's markers.
struct MarkersThere {
    std::string address;
    std::int64_t found = 0;
    std::int64_t forgotten = 0;
};

/// One step of a SCAN: where it goes on, and the keys.
struct Heap {
    std::string cursor;
    std::vector<std::string> keys;
};

std::string text_of(const redisReply& reply) {
    return reply.str == nullptr ? "" : std::string{reply.str, reply.len};
}

std::expected<Heap, std::string> scan(redis::Session& redis, const std::string& cursor,
                                      const std::string& pattern) {
    const auto reply = redis.ask(std::vector<std::string>{"SCAN", cursor, "MATCH", pattern, "COUNT", "1000"});
    if (!reply) return std::unexpected{reply.error()};
    const bool is_heap = (*reply)->type == REDIS_REPLY_ARRAY && (*reply)->elements == 2 &&
                         (*reply)->element[1]->type == REDIS_REPLY_ARRAY;
    if (!is_heap) return std::unexpected{std::string{"SCAN did not return a cursor and keys"}};
    Heap heap{text_of(*(*reply)->element[0]), {}};
    const redisReply& keys = *(*reply)->element[1];
    for (std::size_t i = 0; i < keys.elements; ++i) heap.keys.push_back(text_of(*keys.element[i]));
    return heap;
}

std::expected<std::int64_t, std::string> unlink(redis::Session& redis, const std::vector<std::string>& keys) {
    std::vector<std::string> words{"UNLINK"};
    words.insert(words.end(), keys.begin(), keys.end());
    const auto reply = redis.ask(words);
    if (!reply) return std::unexpected{reply.error()};
    return (*reply)->integer;
}

/// Walks all markers of `epoch` (record::marker_epoch) on one server, a thousand at a time, and deletes them
/// where `apply` says so; those that come meanwhile may stay. The error is a clause for people.
std::expected<MarkersThere, std::string> walk_markers(const config::RedisSettings& settings,
                                                      const config::RedisServer& server,
                                                      const std::string& epoch, bool apply) {
    auto redis = redis::Session::open(settings, server, patience);
    if (!redis) return std::unexpected{redis.error()};
    MarkersThere there{.address = redis::address_of(server)};
    std::string cursor = "0";
    do {
        auto heap = scan(*redis, cursor, record::marker_key(epoch, "*"));
        if (!heap) return std::unexpected{heap.error()};
        there.found += static_cast<std::int64_t>(heap->keys.size());
        if (apply && !heap->keys.empty()) {
            const auto gone = unlink(*redis, heap->keys);
            if (!gone) return std::unexpected{gone.error()};
            there.forgotten += *gone;
        }
        cursor = std::move(heap->cursor);
    } while (cursor != "0");
    return there;
}

Json to_json(const std::string& epoch, const std::vector<MarkersThere>& servers) {
    Json list = Json::array();
    for (const auto& there : servers) {
        list.push_back({{"server", there.address}, {"markers", there.found}, {"forgotten", there.forgotten}});
    }
    return {{"epoch", epoch}, {"servers", std::move(list)}};
}

std::string to_people(const std::vector<MarkersThere>& servers, bool apply) {
    Table table{{"REDIS", "MARKERS", "FORGOTTEN"}};
    for (const auto& there : servers)
        table.row({there.address, std::to_string(there.found), std::to_string(there.forgotten)});
    return table.text() + (apply ? "" : "\nNothing was changed. --apply deletes them.\n");
}

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
