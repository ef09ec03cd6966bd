#include <algorithm>
#include <utility>

#include "ingress/verify/read_recipe.hpp"

namespace sluice::verify {

namespace {

using config::Section;
using config::Value;

constexpr std::size_t most_pointers = 8;

/// "" would name the whole body, which is no field.
std::optional<Pointer> pointer_from(const Value& value) {
    auto pointer = Pointer::parse(value.scalar());
    if (pointer && !pointer->text().empty()) return std::move(*pointer);
    value.problem("a JSON pointer, such as /data/object/id (~ as ~0, / inside a name as ~1)");
    return std::nullopt;
}

std::optional<Pointer> pointer_at(Section& section, std::string_view key) {
    const auto value = section.value(key);
    return value ? pointer_from(*value) : std::nullopt;
}

Pointer required_pointer(Section& section, std::string_view key) {
    if (!section.has(key)) section.problem(std::string(key) + " is missing: a JSON pointer");
    return pointer_at(section, key).value_or(Pointer{});
}

/// A list of pointers, or one.
std::vector<Pointer> pointers_from(const Value& value) {
    const std::vector<Value> items = value.is_list() ? value.items() : std::vector<Value>{value};
    if (items.empty()) value.problem("at least one JSON pointer");
    if (items.size() > most_pointers) value.problem("at most eight JSON pointers");
    std::vector<Pointer> pointers;
    for (const Value& item : items) {
        if (auto pointer = pointer_from(item)) pointers.push_back(std::move(*pointer));
    }
    return pointers;
}

/// {pointer: /created, forms: [unix, rfc3339]}
TimeField time_field(Section section) {
    TimeField field{required_pointer(section, "pointer")};
    const auto forms = section.texts("forms");
    field.as_unix = std::ranges::contains(forms, "unix");
    field.as_rfc3339 = std::ranges::contains(forms, "rfc3339");
    const bool is_known =
        std::ranges::all_of(forms, [](const auto& f) { return f == "unix" || f == "rfc3339"; });
    if (forms.empty() || !is_known) section.problem_at("forms", "forms is a list of unix and rfc3339");
    return field;
}

void read_livemode(Section& extract, Extraction& extraction) {
    const auto value = extract.value("livemode");
    if (!value)
        return extract.problem("livemode is missing: true, false or {pointer: /livemode, absent: true}");
    if (value->is_scalar()) {
        extraction.livemode_if_absent = extract.boolean("livemode", true);
        return;
    }
    Section livemode = extract.section("livemode");
    extraction.livemode = required_pointer(livemode, "pointer");
    if (!livemode.has("absent"))
        livemode.problem("absent is missing: what an event without the field is, true or false");
    extraction.livemode_if_absent = livemode.boolean("absent", true);
}

void read_extract(Section extract, Extraction& extraction) {
    extraction.id = required_pointer(extract, "id");
    extraction.type = required_pointer(extract, "type");
    if (!extract.has("order_by")) extract.problem("order_by is missing: pointers to the object's id, or []");
    extraction.order_by = read_order_by(extract, "order_by");
    if (extract.has("time")) extraction.time = time_field(extract.section("time"));
    read_livemode(extract, extraction);
}

/// The day decides where an event's row lies: a day that moves would hide a duplicate.
void read_day(Section& section, Extraction& extraction) {
    const auto value = section.value("day");
    if (!value) return section.problem("day is missing: none, or a field that redeliveries never change");
    if (!value->is_scalar()) {
        extraction.day = time_field(section.section("day"));
        extraction.day_is_time = extraction.day == extraction.time;
    } else if (value->scalar() != "none") {
        value->problem("none, or {pointer: /created, forms: [unix]}");
    }
}

/// A list of alternatives, each a list of pointers; `none` may stand alone or last.
void read_digest(Section& section, Extraction& extraction) {
    const auto value = section.value("digest");
    if (!value)
        return section.problem("digest is missing: what makes two deliveries the same content, or none");
    const std::vector<Value> items = value->is_list() ? value->items() : std::vector<Value>{*value};
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (!items[i].is_scalar()) {
            extraction.digest.push_back(pointers_from(items[i]));
        } else if (items[i].scalar() != "none" || i + 1 != items.size()) {
            items[i].problem("each alternative is a list of pointers; none comes last");
        }
    }
    if (items.empty() || items.size() > most_pointers) value->problem("one to eight alternatives, or none");
}

}  // namespace

std::vector<ObjectField> read_order_by(Section& section, std::string_view key) {
    std::vector<ObjectField> fields;
    const auto value = section.value(key);
    if (!value || (value->is_list() && value->items().empty())) return fields;
    for (Pointer& pointer : pointers_from(*value)) {
        auto expanded = Pointer::parse(pointer.text() + "/id");
        fields.push_back({std::move(pointer), std::move(expanded).value_or(Pointer{})});
    }
    return fields;
}

void read_extraction(Section& section, Recipe& recipe) {
    if (!section.has("extract"))
        section.problem("extract is missing: where id, type and object stand in the body");
    read_extract(section.section("extract"), recipe.extraction);
    read_day(section, recipe.extraction);
    read_digest(section, recipe.extraction);
}

}  // namespace sluice::verify
