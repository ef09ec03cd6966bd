#include <algorithm>
#include <iterator>

#include "common/webhook/recipe/program.hpp"
#include "common/webhook/recipe_file/read_input.hpp"
#include "common/webhook/recipe_file/read_recipe.hpp"

namespace sluice::webhook {

namespace {

using config::Section;
using config::Value;

constexpr std::string_view kinds =
    "body, timestamp, {literal: TEXT}, {header: NAME}, {pair: NAME}, {query: NAME}, {item: /pointer}, "
    "{setting: NAME}, {form: NAME}, {form: {drop: […], blank: skip}}, {sha256: {form: …}}, {crc32: body} or "
    "{group: […], if: {…}}";

SignedPart named_part(Section& section) {
    SignedPart part;
    if (section.has("literal")) {
        part.text = short_text(section, "literal");
    } else if (section.has("setting")) {
        part.kind = SignedPart::Kind::setting;
        part.text = short_text(section, "setting");
    } else if (section.has("crc32")) {
        part.kind = SignedPart::Kind::input;
        part.input = {Input::From::crc32, {}};
        static_cast<void>(required_choice(section, "crc32", {"body"}));
    } else if (section.has("sha256")) {
        part.kind = SignedPart::Kind::input;
        part.input = read_sorted_form(section.section("sha256").section("form"));
        part.input.hashed = true;
    } else if (names_input(section)) {
        part.kind = SignedPart::Kind::input;
        part.input = read_input(section);
    } else {
        section.problem(std::string(kinds));
    }
    return part;
}

SignedPart plain_part(const Value& value) {
    const std::string text = value.scalar();
    SignedPart part;
    part.kind = text == "body" ? SignedPart::Kind::body : SignedPart::Kind::timestamp;
    if (text != "body" && text != "timestamp") value.problem(std::string(kinds));
    return part;
}

void read_parts(const Value& list, const std::string& path, Reading& reading);

/// {group: [parts], if: {query: NAME}}: parts that are left out together.
void read_group(Section& section, Reading& reading) {
    Section condition = section.section("if");
    std::optional<Input> only_if;
    if (names_input(condition)) only_if = read_input(condition);
    if (!only_if || (only_if->from != Input::From::header && only_if->from != Input::From::query))
        condition.problem("if must name a header or a parameter, such as {query: NAME}");
    if (only_if) only_if->optional = true;
    Reading inside;
    read_parts(*section.value("group"), section.path() + ".group", inside);
    for (SignedPart& part : inside) {
        if (part.only_if) section.problem_at("group", "a group cannot contain a group");
        part.only_if = only_if;
        part.input.optional = true;
    }
    std::ranges::move(inside, std::back_inserter(reading));
}

void read_part(const Value& value, const std::string& path, Reading& reading) {
    if (value.is_scalar()) {
        reading.push_back(plain_part(value));
    } else {
        Section section(value, path);
        if (section.has("group")) return read_group(section, reading);
        reading.push_back(named_part(section));
    }
    reading.back().place = value.place();
}

void read_parts(const Value& list, const std::string& path, Reading& reading) {
    const auto items = list.items();
    if (items.empty()) return list.problem("signed lists nothing: the signature would cover nothing");
    for (const Value& item : items) read_part(item, path, reading);
    if (reading.size() > most_segments)
        list.problem("signed must have at most " + std::to_string(most_segments) + " parts");
}

/// A list of parts, or {any_of: [list, list]}.
std::vector<Reading> read_readings(const Value& value, const std::string& path) {
    std::vector<Reading> readings;
    if (!value.is_mapping()) {
        read_parts(value, path, readings.emplace_back());
        return readings;
    }
    Section section(value, path);
    const auto any_of = section.value("any_of");
    const auto items = any_of ? any_of->items() : std::vector<Value>{};
    if (items.empty() || items.size() > most_readings)
        section.problem("any_of must list one or two readings");
    for (const Value& item : items) read_parts(item, path + ".any_of", readings.emplace_back());
    return readings;
}

/// {by: SETTING, choices: {value: readings}}
void read_choices(Section& section, SignedRule& rule) {
    rule.setting = section.required_text("by");
    const auto choices = section.value("choices");
    const auto entries = choices ? choices->entries() : std::vector<std::pair<Value, Value>>{};
    if (entries.empty()) section.problem("choices is missing: what is signed for each value of the setting");
    for (const auto& [key, value] : entries) {
        rule.choices.push_back({key.scalar(), read_readings(value, section.path() + ".choices")});
    }
}

}  // namespace

void read_signed(Section& section, SignedRule& rule) {
    const auto value = section.value("signed");
    if (!value) return section.problem("signed is missing: what the signature covers, in order, or nothing");
    if (value->is_scalar()) {
        if (value->scalar() != "nothing") value->problem("signed must be a list of parts, or nothing");
        rule.choices = {{"", {Reading{}}}};
        return;
    }
    const std::string path = section.path() + ".signed";
    if (value->is_mapping()) {
        Section choice(*value, path);
        if (choice.has("by")) return read_choices(choice, rule);
        choice.leave_unread("any_of");
    }
    rule.choices = {{"", read_readings(*value, path)}};
}

}  // namespace sluice::webhook
