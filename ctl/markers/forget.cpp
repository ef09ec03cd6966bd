#include "ctl/markers/forget.hpp"

#include "common/record/marker_key.hpp"
#include "ctl/cli/table.hpp"
#include "ctl/markers/redis_session.hpp"

namespace sluice::ctl {
namespace {

constexpr std::chrono::seconds patience{5};

/// One step of a SCAN: where it goes on, and the keys.
struct Heap {
    std::string cursor;
    std::vector<std::string> keys;
};

std::string text_of(const redisReply& reply) {
    return reply.str == nullptr ? "" : std::string{reply.str, reply.len};
}

std::expected<Heap, std::string> scan(RedisSession& redis, const std::string& cursor,
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

std::expected<std::int64_t, std::string> unlink(RedisSession& redis, const std::vector<std::string>& keys) {
    std::vector<std::string> words{"UNLINK"};
    words.insert(words.end(), keys.begin(), keys.end());
    const auto reply = redis.ask(words);
    if (!reply) return std::unexpected{reply.error()};
    return (*reply)->integer;
}

}  // namespace

std::expected<MarkersThere, std::string> walk_markers(const config::RedisSettings& settings,
                                                      const config::RedisServer& server,
                                                      const std::string& epoch, bool apply) {
    auto redis = RedisSession::open(settings, server, patience);
    if (!redis) return std::unexpected{redis.error()};
    MarkersThere there{.address = address_of(server)};
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

}  // namespace sluice::ctl
