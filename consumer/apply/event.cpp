#include "consumer/apply/event.hpp"

#include <algorithm>

#include "common/record/separated.hpp"
#include "common/record/source_keys.hpp"
#include "common/telemetry/log.hpp"
#include "common/webhook/recipe/program.hpp"
#include "consumer/apply/payment_said.hpp"

namespace sluice::consumer {
namespace {

/// Whether a source is of the event's account.
auto of_account(const record::EventHeaders& event) {
    return [&event](const auto& source) {
        return source->provider == event.provider && source->principal == event.principal;
    };
}

/// Those that match with what `body` says; with any of it where nobody can tell.
std::vector<const effects::Effect*> matching(const Item& item, const Rules& rules, std::string_view body,
                                             bool is_edited) {
    const webhook::Source* source = source_of(item, rules.sources);
    thread_local webhook::JsonView view;
    if (source == nullptr || !read_body(*source, body, is_edited, view))
        return rules.effects.matching(item.event);
    return rules.effects.matching(item.event, {payment_kind(*source, view), &view});
}

}  // namespace

bool decode(Item& item) {
    if (item.decoded) return true;
    auto headers = record::decode(item.record.headers, record::HttpHeaders::left_out);
    if (!headers) return false;
    item.event = std::move(*headers);
    item.decoded = true;
    return true;
}

store::InboxKey inbox_key(const Item& item) {
    return {item.event.event_day, item.event.dedup_key};
}

const store::LaneKey& lane_of(Item& item) {
    if (!item.lane) item.lane = store::lane_key_of(ObjectKey{item.record});
    return *item.lane;
}

store::InboxEntry inbox_entry(Item& item, const Rules& rules, store::InboxStatus status,
                              std::optional<WallTime> finished_at) {
    note_payment(item, rules.sources);
    return {.key = inbox_key(item),
            .content_digest = item.event.content_digest,
            .source = item.event.source,
            .event_id = item.event.event_id,
            .type = item.event.type,
            .object_key = item.record.key,
            .status = status,
            .topic = rules.kafka.topic,
            .partition = item.record.at.partition,
            .offset = item.record.at.offset,
            .received_at = item.event.received_at,
            .finished_at = finished_at,
            .dlq = store::DlqRecord::none,
            .error_class = {},
            .error_text = {},
            .reference = item.payment ? std::string_view{item.payment->reference} : "",
            .transaction = item.payment ? std::string_view{item.payment->transaction} : ""};
}

bool is_too_old(const Item& item, std::optional<std::chrono::sys_days> dropped_before) noexcept {
    return dropped_before && item.event.event_day != record::undated &&
           item.event.event_day < *dropped_before;
}

bool is_the_same(const store::InboxRow& row, const Item& item, const webhook::SourceSet& sources) {
    return row.content_digest == item.event.content_digest ||
           are_peers(row.source, item.event.source, sources);
}

std::string headers_as_json(const Record& record) {
    std::string json = "[";
    for (const auto& [name, value] : record::separated(record.headers)) {
        if (json.size() > 1) json += ',';
        json.append("[\"").append(json_escaped(name)).append("\",\"");
        json.append(json_escaped(value, value.size())).append("\"]");
    }
    return json += ']';
}

bool has_source_of(const Item& item, const webhook::SourceSet& sources) {
    return std::ranges::any_of(sources, of_account(item.event));
}

const webhook::Source* source_of(const Item& item, const webhook::SourceSet& sources) {
    const auto first = [&](auto matches) -> const webhook::Source* {
        const auto at = std::ranges::find_if(sources, matches);
        return at == sources.end() ? nullptr : at->get();
    };
    const record::EventHeaders& event = item.event;
    const auto is_peer = of_account(event);
    if (const auto* named = first([&](const auto& s) { return s->name == event.source && is_peer(s); }))
        return named;
    if (const auto* peer = first(is_peer)) return peer;
    return first([&](const auto& s) { return s->provider == event.provider; });
}

std::vector<const effects::Effect*> effects_for(const Item& item, const Rules& rules) {
    if (!rules.effects.asks_body(item.event)) return rules.effects.matching(item.event);
    if (item.payment && !rules.effects.asks_places(item.event))
        return rules.effects.matching(item.event, {.payment = item.payment->kind});
    return matching(item, rules, item.record.value, item.edited);
}

std::vector<const effects::Effect*> effects_for(const Item& item, const Rules& rules,
                                                std::string_view edited_body) {
    if (!rules.effects.asks_body(item.event)) return rules.effects.matching(item.event);
    return matching(item, rules, edited_body, true);
}

bool has_other_keys(const Item& item, const webhook::SourceSet& sources) {
    if (item.event.keys.empty()) return false;
    const auto source = std::ranges::find_if(sources, of_account(item.event));
    return source != sources.end() && !record::stamps_agree((*source)->program->keys_stamp, item.event.keys);
}

bool are_peers(std::string_view a, std::string_view b, const webhook::SourceSet& sources) {
    const auto named = [&sources](std::string_view name) {
        return std::ranges::find(sources, name, [](const auto& source) { return source->name; });
    };
    const auto one = named(a);
    const auto other = named(b);
    return a != b && one != sources.end() && other != sources.end() &&
           (*one)->provider == (*other)->provider && (*one)->principal == (*other)->principal;
}

}  // namespace sluice::consumer
