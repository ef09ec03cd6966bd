#include "ctl/effects/trial/stored_event.hpp"

#include <format>

#include "common/joined.hpp"
#include "common/record/header_bytes.hpp"
#include "consumer/apply/event.hpp"
#include "consumer/effects/effect/kept_headers.hpp"
#include "consumer/store/inbox/past_events.hpp"
#include "consumer/store/inbox/payload.hpp"
#include "ctl/cli/database.hpp"
#include "ctl/cli/exit.hpp"
#include "ctl/entry/dedup_keys.hpp"
#include "ctl/entry/details.hpp"
#include "ctl/entry/read_trouble.hpp"
#include "ctl/event/show/fetched_record.hpp"

namespace sluice::ctl {
namespace {

constexpr std::chrono::seconds patience_with_kafka{5};

std::string standing_of(const store::InboxRow& row) {
    std::string text = std::format("the inbox has it as {}", store::name_of(row.status));
    if (row.had_effects && !row.had_effects->empty()) text += ", with " + joined(*row.had_effects, ", ");
    return text;
}

bool take_from_lane(const store::InboxRow& row, const Stored& where, TrialEvent& event) {
    const Trouble trouble = trouble_of_event(where.connection, where.mysql, row);
    if (!trouble.row || !trouble.lane) return false;
    const auto record =
        value_or_stop(store::read_record(where.connection, trouble.lane->key, trouble.row->row.position),
                      where.mysql, where.connection);
    const auto headers = record ? record::headers_from(record->headers) : Failure{std::error_code{}};
    if (!headers) return false;
    for (const auto& [name, value] : *headers) event.headers.emplace_back(name, value);
    event.body = record->body;
    event.is_edited = record->edited;
    event.from = record->edited ? "its lane, edited by an operator" : "its lane";
    return true;
}

bool take_from_archive(const store::InboxRow& row, const Stored& where, TrialEvent& event) {
    const auto payload =
        value_or_stop(store::find_payload(where.connection, row.key), where.mysql, where.connection);
    const auto headers = payload ? effects::kept_headers(payload->headers) : Failure{std::error_code{}};
    if (!headers) return false;
    event.headers = *headers;
    event.body = payload->body;
    event.from = "the archive";
    return true;
}

void take_from_kafka(const store::InboxRow& row, const Stored& where, TrialEvent& event) {
    auto record = fetch_record(where.kafka, row.topic, row.partition, row.offset, patience_with_kafka);
    if (!record)
        throw Stopped{Exit::no, "the record of event " + row.event_id +
                                    " is neither in a lane nor archived, and not to be had from Kafka: " +
                                    record.error()};
    event.headers = std::move(record->headers);
    event.body = std::move(record->body);
    event.from = "Kafka";
}

TrialEvent event_of(const store::InboxRow& row, const Stored& where) {
    TrialEvent event{.key = row.object_key, .is_stored = true, .stands = standing_of(row)};
    if (!take_from_lane(row, where, event) && !take_from_archive(row, where, event))
        take_from_kafka(row, where, event);
    return event;
}

/// Of an entry whose event has no inbox row under its own id: a conflict, or one that is named by its number.
TrialEvent event_of(const store::DeadLetterRow& entry, const Stored& where) {
    const std::string name = std::to_string(entry.id);
    if (!store::is_of_an_event(entry.kind))
        throw Stopped{Exit::no, "entry " + name + " is of kind " + std::string{store::name_of(entry.kind)} +
                                    ": no effect sees such a one"};
    DeadLetterDetails details = details_of(where.connection, where.mysql, entry);
    if (details.body && !details.headers.empty())
        return {.headers = std::move(details.headers),
                .key = entry.object_key,
                .body = std::move(*details.body),
                .from = details.body_from + (details.edited ? ", edited by an operator" : ""),
                .is_edited = details.edited,
                .is_stored = true,
                .stands = "entry " + name + " is about it"};
    const auto row = entry.inbox ? value_or_stop(store::find(where.connection, *entry.inbox), where.mysql,
                                                 where.connection)
                                 : std::nullopt;
    if (!row) throw Stopped{Exit::no, "the record of entry " + name + " is nowhere any more"};
    return event_of(*row, where);
}

}  // namespace

std::vector<TrialEvent> stored_events(const std::string& id, const Stored& where) {
    const auto rows =
        value_or_stop(store::find_on_any_day(where.connection, dedup_keys_of(where.sources, id)), where.mysql,
                      where.connection);
    std::vector<TrialEvent> events;
    for (const auto& row : rows) events.push_back(event_of(row, where));
    if (!events.empty()) return events;
    for (const auto& entry : dead_letters_named(where.connection, where.mysql, id))
        events.push_back(event_of(entry, where));
    if (events.empty())
        throw Stopped{Exit::no, "neither the inbox nor the entries have " + id +
                                    " of a configured source: sluicectl event show " + id};
    return events;
}

std::optional<consumer::Item> item_of(const TrialEvent& event) {
    consumer::Item item;
    item.record.at.offset = -1;
    item.record.key = event.key;
    item.record.value = event.body;
    item.edited = event.is_edited;
    for (const auto& [name, value] : event.headers) item.record.headers.push_back({name, value});
    if (!consumer::decode(item)) return std::nullopt;
    return item;
}

}  // namespace sluice::ctl
