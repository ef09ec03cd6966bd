#include "common/webhook/recipe_file/read_facts.hpp"

#include <utility>

#include "common/error.hpp"
#include "common/webhook/recipe_file/read_input.hpp"

namespace sluice::webhook {

namespace {

using config::Section;
using config::Value;

constexpr std::size_t most_joined = 4;

/// "/links/{/resource_type}": a pointer in braces stands for the text that is there.
void read_template(Section& section, Fact& fact) {
    fact.from = Fact::From::templated;
    const std::string text = section.required_text("template");
    const std::size_t open = text.find('{');
    const std::size_t close = text.find('}');
    auto pointer = close == std::string::npos || open > close
                       ? Result<Pointer>{Failure{errc::wrong_type}}
                       : Pointer::parse(std::string_view{text}.substr(open + 1, close - open - 1));
    if (!pointer || pointer->text().empty() || !text.starts_with('/'))
        return section.problem_at(
            "template",
            "a template must contain one JSON pointer in braces, such as /links/{/resource_type}");
    fact.pointer = std::move(*pointer);
    fact.name = text.substr(0, open);
    fact.behind = text.substr(close + 1);
    const std::string cut = section.one_of("cut", {"nothing", "plural", "first-word"}, "nothing");
    if (cut == "plural") fact.cut = Fact::Cut::plural;
    if (cut == "first-word") fact.cut = Fact::Cut::first_word;
}

Fact named_fact(Section& section) {
    Fact fact;
    if (section.has("header")) {
        fact.from = Fact::From::header;
        fact.name = read_headers(section, "header").names.front();
    } else if (section.has("query")) {
        fact.from = Fact::From::query;
        fact.name = short_text(section, "query");
    } else if (section.has("template")) {
        read_template(section, fact);
    } else if (section.has("literal")) {
        fact.from = Fact::From::literal;
        fact.name = short_text(section, "literal");
    } else if (section.has("sha256") && section.value("sha256")->is_mapping()) {
        Section of = section.section("sha256");
        fact.from = Fact::From::field_digest;
        fact.name = short_text(of, "form");
    } else if (section.has("sha256")) {
        const bool is_body = section.text("sha256", "") == "body";
        fact.from = is_body ? Fact::From::body_digest : Fact::From::digest;
        if (!is_body) fact.pointer = required_pointer(section, "sha256");
    } else {
        fact.pointer = required_pointer(section, "pointer");
        fact.integer = section.boolean("integer", false);
    }
    fact.optional = section.boolean("optional", false);
    return fact;
}

}  // namespace

std::optional<Pointer> pointer_from(const Value& value) {
    auto pointer = Pointer::parse(value.scalar());
    if (pointer && !pointer->text().empty()) return std::move(*pointer);
    value.problem("'" + value.scalar() +
                  "' is not a JSON pointer, such as /data/object/id (~ as ~0, / inside a name as ~1)");
    return std::nullopt;
}

Pointer required_pointer(Section& section, std::string_view key) {
    const auto value = section.value(key);
    if (!value) section.problem(std::string(key) + " is missing: a JSON pointer");
    return value ? pointer_from(*value).value_or(Pointer{}) : Pointer{};
}

Fact read_fact(const Value& value, const std::string& path) {
    if (value.is_mapping()) {
        Section section(value, path);
        return named_fact(section);
    }
    Fact fact;
    fact.pointer = pointer_from(value).value_or(Pointer{});
    return fact;
}

Joined read_joined(const Value& value, const std::string& path) {
    const auto entries = value.entries();
    if (entries.size() != 1 || entries.front().first.scalar() != "join") return {read_fact(value, path)};
    Joined facts;
    for (const Value& item : entries.front().second.items()) facts.push_back(read_fact(item, path + ".join"));
    if (facts.empty() || facts.size() > most_joined) value.problem("join must have one to four facts");
    return facts;
}

Facts read_facts(Section& section, std::string_view key) {
    const auto value = section.value(key);
    if (!value) {
        section.problem(std::string(key) + " is missing: a JSON pointer, {header: NAME} or {join: […]}");
        return {};
    }
    const std::string path = section.path() + "." + std::string(key);
    const std::vector<Value> items = value->is_list() ? value->items() : std::vector<Value>{*value};
    if (items.empty() || items.size() > most_joined) value->problem("there must be one to four alternatives");
    Facts facts;
    for (const Value& item : items) facts.push_back(read_joined(item, path));
    return facts;
}

}  // namespace sluice::webhook
