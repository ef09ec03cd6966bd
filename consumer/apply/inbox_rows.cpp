#include "consumer/apply/inbox_rows.hpp"

#include <array>
#include <string>
#include <vector>

#include "consumer/store/driver/error.hpp"
#include "consumer/store/inbox/payload.hpp"

namespace sluice::consumer {

bool keeps_payload(config::InboxSettings::Payload payload, store::InboxStatus status) noexcept {
    if (payload == config::InboxSettings::Payload::all) return true;
    const bool failed = status != store::InboxStatus::done && status != store::InboxStatus::ignored;
    return payload == config::InboxSettings::Payload::failed && failed;
}

Result<void> insert_payloads(std::span<Item* const> items, store::Connection& connection) {
    std::vector<std::string> headers;
    std::vector<store::PayloadEntry> rows;
    headers.reserve(items.size());
    for (const Item* item : items) {
        headers.push_back(headers_as_json(item->record));
        rows.push_back({inbox_key(*item), headers.back(), item->record.value});
    }
    return store::insert_payloads(connection, rows);
}

Result<bool> insert_event(Item& item, const store::InboxEntry& entry, config::InboxSettings::Payload payload,
                          store::Connection& connection) {
    if (auto inserted = store::insert(connection, {&entry, 1}); !inserted) {
        if (store::class_of(inserted.error()) == store::ErrorClass::duplicate) return false;
        return Failure{inserted.error()};
    }
    if (!keeps_payload(payload, entry.status)) return true;
    const std::array<Item*, 1> items{&item};
    if (auto stored = insert_payloads(items, connection); !stored) return Failure{stored.error()};
    return true;
}

}  // namespace sluice::consumer
