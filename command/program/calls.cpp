#include "command/program/calls.hpp"

#include <algorithm>
#include <utility>

#include "command/execute/routed_executor.hpp"
#include "command/record/mysql_record.hpp"
#include "command/record/redis_record.hpp"
#include "consumer/destination/webhook_signature.hpp"

namespace sluice::command {
namespace {

bool is_on_redis(const Definition& definition) {
    return definition.call && definition.call->record == CallDefinition::Record::redis;
}

MakeRecord records(const Around& around, std::shared_ptr<const config::RedisSettings> redis) {
    const auto moves = std::make_shared<consumer::ServerMoves>();
    return [around, moves,
            redis = std::move(redis)](const Definition& definition) -> std::unique_ptr<CallRecord> {
        if (is_on_redis(definition)) return std::make_unique<RedisRecord>(*redis, definition.name);
        return std::make_unique<MysqlRecord>(around, *moves, definition.name);
    };
}

}  // namespace

std::shared_ptr<const CallSettings> read_calls(const CommandSet& set, const config::Document& document,
                                               config::Problems& problems) {
    auto read = std::make_shared<CallSettings>();
    for (const auto& one : set.all())
        if (one->call) read->keys.emplace(one->name, consumer::signing_keys(one->call->secrets, problems));
    if (!std::ranges::any_of(set.all(), [](const auto& one) { return is_on_redis(*one); })) return read;
    read->redis = config::read_redis(document, problems);
    // Of several a key's would be another one when there are more: a record must stay where it is.
    if (read->redis.servers.size() != 1)
        problems.add({document.file(), 0, 0},
                     "redis.urls must name one server, for the commands that have their record there");
    return read;
}

std::unique_ptr<Executor> with_calls(std::unique_ptr<Executor> effects, const CommandSet& set,
                                     const ExecutionSettings& settings, const Around& around,
                                     std::shared_ptr<const CallSettings> calls) {
    if (calls->keys.empty()) return effects;
    auto forwarding = make_call_executor(set, static_cast<std::size_t>(settings.queue), around,
                                         {calls, &calls->keys}, records(around, {calls, &calls->redis}));
    auto is_call = [&set](const std::string& command) {
        const Definition* definition = set.find(command);
        return definition != nullptr && definition->call != nullptr;
    };
    return std::make_unique<RoutedExecutor>(std::move(effects), std::move(forwarding), is_call);
}

}  // namespace sluice::command
