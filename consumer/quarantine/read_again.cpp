#include "consumer/quarantine/read_again.hpp"

#include <memory>
#include <string>
#include <utility>

#include "common/error.hpp"
#include "common/webhook/extract/items.hpp"
#include "consumer/apply/event.hpp"

namespace sluice::consumer {
namespace {

/// What the views of a record refer to.
struct OwnedEvent {
    webhook::Extracted event;
    std::string value;
    record::EncodedHeaders headers;
};

Result<Item> item_from(webhook::Extracted event, std::string_view value, const KeptRequest& request,
                       const Record& kept) {
    auto owned = std::make_shared<OwnedEvent>(std::move(event), std::string{value});
    webhook::complete(owned->event.headers, request.arrival);
    const auto headers = owned->headers.encode(owned->event.headers);
    Item item;
    item.record = {.at = kept.at,
                   .key = owned->event.ordering_key,
                   .value = owned->value,
                   .headers = {headers.begin(), headers.end()},
                   .appended_at = kept.appended_at,
                   .owner = owned};
    if (!decode(item)) return Failure{errc::undecodable};
    return item;
}

Result<webhook::Extracted> read_one(const webhook::Source& source, const webhook::Request& request,
                                    const KeptRequest& kept) {
    webhook::JsonView view;
    webhook::Extracted event;
    event.headers.item = kept.item;
    event.headers.original = kept.original;
    const auto read = webhook::extract_into(event, source, request, view, false, kept.livemode);
    if (!read) return Failure{read.error().code};
    return event;
}

Result<std::vector<Item>> read_items(const webhook::Source& source, const webhook::Request& request,
                                     const KeptRequest& kept, const Record& record) {
    webhook::JsonView whole;
    webhook::JsonView element;
    auto read = webhook::extract_items(source, request, whole, element);
    if (!read) return Failure{read.error().code};
    std::vector<Item> items;
    for (webhook::Item& one : *read) {
        if (!one.event) return Failure{one.event.error().code};
        auto item = item_from(std::move(*one.event), one.value, kept, record);
        if (!item) return Failure{item.error()};
        items.push_back(std::move(*item));
    }
    return items;
}

}  // namespace

Result<std::vector<Item>> read_again(const Record& kept, const KeptRequest& request, std::string_view body,
                                     const webhook::Source& source) {
    const webhook::Request whole{"POST", request.target, request.fields, body};
    if (source.has_items && !request.item) return read_items(source, whole, request, kept);
    auto event = read_one(source, whole, request);
    if (!event) return Failure{event.error()};
    auto item = item_from(std::move(*event), body, request, kept);
    if (!item) return Failure{item.error()};
    return std::vector{std::move(*item)};
}

}  // namespace sluice::consumer
