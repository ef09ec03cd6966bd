#include "consumer/effects/send/read_send.hpp"

#include <algorithm>
#include <utility>

#include "common/joined.hpp"
#include "consumer/effects/send/event_part.hpp"
#include "consumer/effects/send/idempotency_key.hpp"
#include "consumer/effects/send/message_body.hpp"
#include "consumer/effects/send/payment_event.hpp"

namespace sluice::effects {
namespace {

constexpr std::size_t most_messages = 16;

Cell cell_of(std::string column, Operand value, const config::Place& place) {
    return {.column = std::move(column), .value = std::move(value), .place = place};
}

Operand literal(std::string text) {
    return {.kind = Operand::Kind::literal, .text = std::move(text)};
}

Operand made(NameScope& names, std::string name, const config::Place& place,
             std::shared_ptr<const MadeValue> value) {
    Parameter parameter{.name = std::move(name), .place = place, .made = std::move(value)};
    return {.kind = Operand::Kind::parameter, .text = {}, .parameter = names.add(std::move(parameter))};
}

std::string read_destination(config::Section& section, const destination::Names& destinations) {
    const std::string name = section.required_text("to");
    const auto& names = destinations.all;
    if (name.empty() || std::ranges::contains(names, name)) return name;
    section.problem_at("to", names.empty()
                                 ? "'" + name + "' is no destination: the file has none, add destinations"
                                 : "'" + name + "' is no destination; there are: " + joined(names, ", "));
    return name;
}

/// The ordering unit of its destination: text or a number.
Operand read_message_key(config::Section& section, NameScope& names) {
    const auto value = section.value("key");
    if (!value) return *operand_named("object", names);
    auto key = read_operand(*value, names);
    const auto type = type_of(key, names.let());
    if (type == ParameterType::time || type == ParameterType::bytes)
        value->problem("a key is text or a number: its messages are kept in order");
    if (key.kind == Operand::Kind::literal)
        value->problems().warn(value->place(),
                               "all messages have the key '" + key.text +
                                   "', so that one which is refused holds all: for a value of the "
                                   "event, write \":" +
                                   key.text + "\"");
    return key;
}

std::shared_ptr<const MadeValue> read_body(config::Section& section, NameScope& names, bool is_to_url) {
    const auto value = section.value("body");
    const bool has_original = section.boolean("provider_body", false);
    const bool is_event = value && value->is_scalar() && value->scalar() == "payment_event";
    if (has_original && !is_event)
        section.problem_at("provider_body",
                           "provider_body is a part of a payment_event: set body: payment_event");
    if (!value) section.problem("body is missing: what the message says, as in {order: \":reference\"}");
    if (!value) return nullptr;
    if (!is_event) return MessageBody::read(*value, names);
    if (is_to_url)
        value->problem("payment_event is for topics: a URL gets JSON, as in {order: \":reference\"}");
    return PaymentEventBody::read(names, has_original);
}

Change read_one(config::Section section, const std::string& effect, std::size_t place, NameScope& names,
                const destination::Names& destinations) {
    const config::Place at = section.place();
    auto destination = read_destination(section, destinations);
    auto key = read_message_key(section, names);
    auto body = read_body(section, names, std::ranges::contains(destinations.urls, destination));
    Insertion insertion{.row = {}, .is_message = true};
    const auto add = [&](std::string column, Operand value) {
        insertion.row.push_back(cell_of(std::move(column), std::move(value), at));
    };
    add("body", made(names, std::string{body_name}, at, std::move(body)));
    const auto add_part = [&](std::string column, EventPart::Of of) {
        add(column, made(names, column + " of the event", at, std::make_shared<EventPart>(of)));
    };
    add_part("dedup_key", &EventPart::dedup_key);
    add("destination", literal(std::move(destination)));
    add("effect", literal(effect));
    add_part("event_day", &EventPart::day);
    add("event_id", *operand_named("event_id", names));
    add("event_type", *operand_named("event_type", names));
    add("idempotency_key",
        made(names, "idempotency key", at, std::make_shared<IdempotencyKey>(effect, place)));
    add("message_key", std::move(key));
    add("source", *operand_named("source", names));
    add_part("traceparent", &EventPart::traceparent);
    return {at, "outbox", std::move(insertion)};
}

}  // namespace

std::vector<Change> read_sends(config::Section& section, const std::string& effect, NameScope& names,
                               const destination::Names& destinations) {
    const auto value = section.value("send");
    std::vector<Change> changes;
    if (!value) return changes;
    const auto items = value->is_list() ? value->items() : std::vector{*value};
    if (items.empty()) value->problem("send is empty: give at least one message, as in {to: …, body: …}");
    if (items.size() > most_messages)
        value->problem("an effect sends at most 16 messages: make it two effects");
    if (std::ranges::any_of(effect, [](unsigned char c) { return c < ' ' || c == 0x7f; }))
        value->problem(
            "the effect's name goes into a header of its messages: write it without control characters");
    for (std::size_t i = 0; i < items.size(); ++i) {
        const std::string path =
            section.path() + ".send" + (value->is_list() ? "[" + std::to_string(i) + "]" : "");
        changes.push_back(read_one(config::Section{items[i], path}, effect, i, names, destinations));
    }
    return changes;
}

}  // namespace sluice::effects
