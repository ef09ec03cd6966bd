#include "consumer/command/execute/past_event.hpp"

#include <memory>
#include <utility>

#include "consumer/apply/event.hpp"
#include "consumer/effects/effect/kept_headers.hpp"

namespace sluice::consumer {
namespace {

struct KeptRecord {
    std::vector<std::pair<std::string, std::string>> headers;
    std::string body;
    std::string key;
};

}  // namespace

std::optional<Item> past_event(const store::InboxRow& row, store::Payload payload) {
    auto headers = effects::kept_headers(payload.headers);
    if (!headers || row.object_key.empty()) return std::nullopt;
    auto kept = std::make_shared<const KeptRecord>(
        KeptRecord{std::move(*headers), std::move(payload.body), row.object_key});
    Item item;
    item.record.at = {row.partition, row.offset, 0};
    item.record.key = kept->key;
    item.record.value = kept->body;
    item.record.appended_at = row.received_at;
    for (const auto& [name, value] : kept->headers) item.record.headers.push_back({name, value});
    item.record.owner = std::move(kept);
    const bool is_its_own =
        decode(item) && inbox_key(item) == row.key && item.event.content_digest == row.content_digest;
    return is_its_own ? std::optional{std::move(item)} : std::nullopt;
}

}  // namespace sluice::consumer
