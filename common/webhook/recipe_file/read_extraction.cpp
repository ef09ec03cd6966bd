#include <algorithm>
#include <array>
#include <utility>

#include "common/time_text.hpp"
#include "common/webhook/recipe_file/read_facts.hpp"
#include "common/webhook/recipe_file/read_input.hpp"
#include "common/webhook/recipe_file/read_recipe.hpp"

namespace sluice::webhook {

namespace {

using config::Section;
using config::Value;

constexpr std::size_t most_pointers = 8;
constexpr std::size_t most_objects = 16;
constexpr std::size_t most_times = 4;
constexpr std::array<std::string_view, 4> known_forms{"unix", "unix-ms", "rfc3339", "compact"};

/// The parts of one alternative; `body` is the whole of it.
DigestParts parts_from(const Value& value) {
    const auto items = value.items();
    if (items.empty()) value.problem("there must be at least one JSON pointer");
    if (items.size() > most_pointers) value.problem("there must be at most eight JSON pointers");
    DigestParts parts;
    for (const Value& item : items) {
        if (auto pointer = pointer_from(item)) parts.push_back(std::move(*pointer));
    }
    return parts;
}

/// An offset from UTC, such as +08:00.
std::string zone_in(Section& section) {
    std::string zone = section.required_text("zone");
    if (!from_rfc3339("2026-01-01T00:00:00" + zone))
        section.problem_at("zone", "zone must be an offset from UTC, such as +08:00");
    return zone;
}

/// {pointer: /created, forms: [unix, rfc3339]}, or a header.
TimeField time_field(Section section) {
    TimeField field;
    if (section.has("header")) {
        field.at.from = Fact::From::header;
        field.at.name = read_headers(section, "header").names.front();
    } else {
        field.at.pointer = required_pointer(section, "pointer");
        field.at.integer = section.boolean("digits", false);
    }
    read_time_forms(section, field);
    return field;
}

void read_livemode(Section& extract, Extraction& extraction) {
    const auto value = extract.value("livemode");
    if (!value)
        return extract.problem(
            "livemode is missing: true, false, {setting: NAME, is: TEXT} or {pointer: /livemode, absent: "
            "true}");
    if (value->is_scalar()) {
        extraction.livemode_if_absent = extract.boolean("livemode", true);
        return;
    }
    Section livemode = extract.section("livemode");
    if (livemode.has("setting")) {
        extraction.livemode_setting = livemode.required_text("setting");
        extraction.live_text = livemode.required_text("is");
        return;
    }
    extraction.livemode = required_pointer(livemode, "pointer");
    extraction.livemode_is_of_delivery = livemode.one_of("of", {"event", "delivery"}, "event") == "delivery";
    extraction.live_text = livemode.text("is", "");
    extraction.means_test = livemode.one_of("means", {"live", "test"}, "live") == "test";
    if (!livemode.has("absent"))
        livemode.problem("absent is missing: say what an event without the field is, true or false");
    extraction.livemode_if_absent = livemode.boolean("absent", true);
}

/// {at: /events, inside: /Item, signed: each}
void read_items(Section& section, Extraction& extraction) {
    if (!section.has("items")) return;
    Section items = section.section("items");
    ItemsRule rule{required_pointer(items, "at"), {}, false};
    if (items.has("inside")) rule.inside = required_pointer(items, "inside");
    rule.each_signed = required_choice(items, "signed", {"together", "each"}) == "each";
    extraction.items = std::move(rule);
}

void read_extract(Section extract, Extraction& extraction) {
    extraction.id = read_facts(extract, "id");
    extraction.type = read_facts(extract, "type");
    if (!extract.has("order_by")) extract.problem("order_by is missing: pointers to the object's id, or []");
    extraction.order_by = read_order_by(extract, "order_by");
    if (extract.has("time")) extraction.time = read_times(extract, "time");
    read_livemode(extract, extraction);
    if (!extract.has("delivery")) return;
    Section delivery = extract.section("delivery");
    extraction.delivery = read_headers(delivery, "header").names.front();
}

/// The day decides where an event's row lies: a day that moves would hide a duplicate.
void read_day(Section& section, Extraction& extraction) {
    const auto value = section.value("day");
    if (!value)
        return section.problem("day is missing: none, or a field that is the same in every redelivery");
    if (!value->is_scalar()) {
        extraction.day = read_times(section, "day");
        extraction.day_is_time = extraction.day == extraction.time;
    } else if (value->scalar() != "none") {
        value->problem("day must be none, or such as {pointer: /created, forms: [unix]}");
    }
}

/// {all_but: [names], blank: skip or keep}: the fields of a form.
FieldsDigest read_fields_digest(Section digest) {
    FieldsDigest rule{.all_but = digest.texts("all_but")};
    rule.skip_blank = digest.one_of("blank", {"keep", "skip"}, "keep") == "skip";
    if (rule.all_but.empty() || rule.all_but.size() > most_pointers)
        digest.problem_at("all_but", "there must be one to eight names of fields");
    return rule;
}

/// A list of alternatives, each a list of pointers; `none` may stand alone or last.
void read_digest(Section& section, Extraction& extraction) {
    const auto value = section.value("digest");
    if (!value)
        return section.problem(
            "digest is missing: the parts that all deliveries of one event share, or none");
    if (value->is_mapping()) {
        extraction.fields_digest = read_fields_digest(section.section("digest"));
        return;
    }
    const std::vector<Value> items = value->is_list() ? value->items() : std::vector<Value>{*value};
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (!items[i].is_scalar()) {
            extraction.digest.push_back(parts_from(items[i]));
        } else if (items[i].scalar() == "body") {
            extraction.digest.push_back({Pointer{}});
        } else if (items[i].scalar() != "none" || i + 1 != items.size()) {
            items[i].problem("each alternative must be a list of pointers, or body; none must come last");
        }
    }
    if (items.empty() || items.size() > most_pointers)
        value->problem("digest must have one to eight alternatives, or be none");
}

}  // namespace

void read_time_forms(Section& section, TimeField& field) {
    const auto forms = section.texts("forms");
    field.as_unix = std::ranges::contains(forms, "unix");
    field.as_unix_ms = std::ranges::contains(forms, "unix-ms");
    field.as_rfc3339 = std::ranges::contains(forms, "rfc3339");
    field.as_compact = std::ranges::contains(forms, "compact");
    const bool is_known =
        std::ranges::all_of(forms, [](const auto& f) { return std::ranges::contains(known_forms, f); });
    if (section.has("zone")) field.zone = zone_in(section);
    if (forms.empty() || !is_known)
        section.problem_at("forms", "forms must be a list of unix, unix-ms and rfc3339, or compact");
    if (field.as_compact && (field.zone.empty() || forms.size() > 1))
        section.problem_at("forms", "compact must stand alone, and needs zone");
    if (field.as_unix && field.as_unix_ms) section.problem_at("forms", "give either unix or unix-ms");
}

std::vector<TimeField> read_times(Section& section, std::string_view key) {
    std::vector<TimeField> fields;
    const auto value = section.value(key);
    if (!value->is_list()) return {time_field(section.section(key))};
    for (Section& one : section.sections(key)) fields.push_back(time_field(std::move(one)));
    if (fields.empty() || fields.size() > most_times) value->problem("there must be one to four fields");
    return fields;
}

std::vector<ObjectField> read_order_by(Section& section, std::string_view key) {
    std::vector<ObjectField> fields;
    const auto value = section.value(key);
    if (!value || (value->is_list() && value->items().empty())) return fields;
    const std::vector<Value> items = value->is_list() ? value->items() : std::vector<Value>{*value};
    if (items.size() > most_objects) value->problem("there must be at most sixteen places");
    for (const Value& item : items) {
        Joined facts = read_joined(item, section.path() + "." + std::string(key));
        const std::string first = facts.empty() ? std::string{} : facts.front().pointer.text();
        fields.push_back({std::move(facts), Pointer::parse(first + "/id").value_or(Pointer{})});
    }
    return fields;
}

void read_extraction(Section& section, Recipe& recipe) {
    if (!section.has("extract"))
        section.problem("extract is missing: where the body has id, type and object");
    read_extract(section.section("extract"), recipe.extraction);
    read_items(section, recipe.extraction);
    read_day(section, recipe.extraction);
    read_digest(section, recipe.extraction);
}

}  // namespace sluice::webhook
