#include "common/webhook/extract/object.hpp"

#include <string>

#include "common/error.hpp"
#include "common/printable.hpp"

namespace sluice::webhook {

namespace {

/// The id in one place, empty when there is none: missing, null, of another type or empty.
Result<std::string_view> object_in(FactReader& reader, const JsonView& view, const ObjectField& field) {
    auto text = reader.text(field.value);
    const bool is_pointer = field.value.size() == 1 && field.value.front().from == Fact::From::pointer;
    if (!text && text.error() == errc::wrong_type && is_pointer) {
        text = view.string(field.expanded_id);
    }
    if (text) return *text;
    if (text.error() == errc::wrong_type || text.error() == errc::missing_pointer) return std::string_view{};
    return Failure{text.error()};
}

}  // namespace

Readable<std::string_view> object_of(FactReader& reader, const JsonView& view,
                                     const std::vector<ObjectField>& order_by) {
    constexpr std::string_view key = "order_by";
    for (const ObjectField& field : order_by) {
        const auto text = object_in(reader, view, field);
        if (!text) return unread_text(text.error(), key, {field.value}, reader, view);
        if (text->empty()) continue;
        const auto wrong = [&](std::string_view what) {
            return unread(errc::unreadable_body, key, name_of(field.value), what);
        };
        if (text->size() > longest_id) return wrong("has more than " + std::to_string(longest_id) + " bytes");
        if (has_control_character(*text)) return wrong("has a control character");
        return *text;
    }
    return std::string_view{};
}

}  // namespace sluice::webhook
