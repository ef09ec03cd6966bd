#include "consumer/lane/run/stored_event.hpp"

#include <memory>
#include <string>
#include <utility>

#include "common/record/header_bytes.hpp"
#include "consumer/apply/event.hpp"

namespace sluice::consumer {
namespace {

struct Owned {
    store::StoredRecord record;
    std::string object_key;
};

}  // namespace

std::string_view ordering_key_of(std::string_view object_key) noexcept {
    const bool is_stand_in = object_key.starts_with('\0');
    return is_stand_in ? std::string_view{} : object_key;
}

Item stored_event(store::StoredRecord record, std::string_view object_key) {
    auto owned = std::make_shared<const Owned>(Owned{std::move(record), std::string{object_key}});
    Item item;
    item.edited = owned->record.edited;
    item.record.at = {owned->record.partition, owned->record.offset, 0};
    item.record.topic = owned->record.topic;
    item.record.key = ordering_key_of(owned->object_key);
    item.record.value = owned->record.body;
    item.record.appended_at = owned->record.appended_at;
    if (auto headers = record::headers_from(owned->record.headers)) item.record.headers = std::move(*headers);
    item.record.owner = std::move(owned);
    (void)decode(item);
    return item;
}

}  // namespace sluice::consumer
