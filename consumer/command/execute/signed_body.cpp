#include "consumer/command/execute/signed_body.hpp"

#include "common/telemetry/log.hpp"
#include "common/webhook/extract/items.hpp"

namespace sluice::consumer {
namespace {

/// An object that holds `value` where the pointer says.
std::string held_at(const webhook::Pointer& pointer, std::string value) {
    const auto& tokens = pointer.tokens();
    for (auto token = tokens.rbegin(); token != tokens.rend(); ++token)
        value = "{\"" + json_escaped(*token, token->size()) + "\":" + value + "}";
    return value;
}

/// What is no document by itself might be more than one item in there; alone it is none, and refused.
std::string delivery_of(const webhook::ItemsRule& rule, std::string_view item) {
    webhook::JsonView alone;
    if (!alone.read(item)) return std::string{item};
    const std::string element = rule.inside ? held_at(*rule.inside, std::string{item}) : std::string{item};
    return held_at(rule.at, "[" + element + "]");
}

}  // namespace

std::optional<std::string> signed_body(const webhook::Program& program, const record::EventHeaders& event,
                                       std::string_view value, Originals* originals) {
    const auto& items = program.extraction.items;
    if (items.has_value() != event.item.has_value()) return std::nullopt;
    if (!items) return std::string{value};
    if (items->each_signed) return delivery_of(*items, value);
    if (originals == nullptr || !event.original) return std::nullopt;
    return originals->find(*event.original, event.received_at);
}

bool is_item_of(const webhook::ItemsRule& rule, std::string_view delivery, std::size_t number,
                std::string_view value) {
    webhook::JsonView whole;
    webhook::JsonView element;
    if (!whole.read(delivery)) return false;
    const auto items = webhook::items_in(rule, whole, element);
    return items && number < items->size() && (*items)[number] == value;
}

}  // namespace sluice::consumer
