#include "common/webhook/extract/items.hpp"

#include <utility>

#include "common/error.hpp"
#include "common/webhook/extract/livemode.hpp"
#include "common/webhook/recipe/program.hpp"

namespace sluice::webhook {

namespace {

/// The object that one element is, or holds. The element is part of a document, so bytes follow it.
Result<std::string_view> item_in(std::string_view element, const ItemsRule& rule, JsonView& view) {
    if (!rule.inside) {
        if (!element.starts_with('{')) return Failure{errc::wrong_type};
        return element;
    }
    if (!view.read_padded(element)) return Failure{errc::wrong_type};
    const auto type = view.type(*rule.inside);
    if (!type && type.error() == errc::duplicate_key) return Failure{errc::duplicate_key};
    if (!type || *type != JsonType::object) return Failure{errc::wrong_type};
    return view.written(*rule.inside);
}

/// The livemode of the whole delivery, where that states it.
Readable<std::optional<bool>> livemode_of_delivery(const Extraction& extraction, const JsonView& whole) {
    if (!extraction.livemode_is_of_delivery) return std::nullopt;
    const auto livemode = livemode_of(whole, extraction);
    if (!livemode) return unread_livemode(livemode.error(), extraction, whole);
    return *livemode;
}

}  // namespace

Result<std::vector<std::string_view>> items_in(const ItemsRule& rule, const JsonView& whole,
                                               JsonView& element) {
    const auto elements = whole.elements(rule.at);
    if (!elements) return Failure{elements.error()};
    if (elements->size() > most_items) return Failure{errc::out_of_range};
    std::vector<std::string_view> items;
    items.reserve(elements->size());
    for (const std::string_view one : *elements) {
        const auto item = item_in(one, rule, element);
        if (!item) return Failure{item.error()};
        items.push_back(*item);
    }
    return items;
}

Readable<std::vector<Item>> extract_items(const Source& source, const Request& request, JsonView& whole,
                                          JsonView& element, bool body_is_padded) {
    const Extraction& extraction = source.program->extraction;
    const auto readable = body_is_padded ? whole.read_padded(request.body) : whole.read(request.body);
    if (!readable) return unread(readable.error(), "body", "it", "is no JSON");
    const auto values = items_in(*extraction.items, whole, element);
    if (!values) return unread_items(values.error(), *extraction.items);
    if (values->empty())
        return unread(errc::unreadable_body, "items", extraction.items->at.text(), "is empty");
    const auto livemode = livemode_of_delivery(extraction, whole);
    if (!livemode) return NotReadable{livemode.error()};

    std::vector<Item> items;
    items.reserve(values->size());
    const crypto::Digest original = crypto::sha256(request.body);
    for (const std::string_view value : *values) {
        const auto number = static_cast<std::uint32_t>(items.size());
        Request one = request;
        one.body = value;
        Extracted event;
        event.headers.item = number;
        event.headers.original = original;
        auto read = extract_into(event, source, one, element, /*body_is_padded=*/true, *livemode);
        items.push_back({value, std::move(read).transform([&] { return std::move(event); }), number, original,
                         *livemode});
    }
    return items;
}

}  // namespace sluice::webhook
