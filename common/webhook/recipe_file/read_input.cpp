#include "common/webhook/recipe_file/read_input.hpp"

#include "common/webhook/recipe_file/names.hpp"
#include "common/webhook/recipe_file/read_facts.hpp"

namespace sluice::webhook {

namespace {

using config::Section;

constexpr std::size_t longest_text = 64;  // of literals, prefixes and names in a recipe
constexpr std::size_t most_names = 4;
constexpr std::size_t most_dropped = 8;

}  // namespace

std::string short_text(Section& section, std::string_view key) {
    std::string text = section.required_text(key);
    if (text.size() > longest_text) section.problem_at(key, std::string(key) + " must have at most 64 bytes");
    return text;
}

Input read_headers(Section& section, std::string_view key) {
    Input input{Input::From::header, section.texts(key)};
    if (input.names.empty()) {
        section.problem_at(key, std::string(key) + " is missing: a header's name");
        input.names.emplace_back();  // there is always a first one
        return input;
    }
    if (input.names.size() > most_names) section.problem_at(key, "there must be at most four names");
    for (const std::string& name : input.names) {
        if (!is_header_name(name))
            section.problem_at(key, "a header's name must have only letters, digits and -");
    }
    return input;
}

bool names_input(Section& section) {
    return section.has("header") || section.has("pair") || section.has("query") || section.has("form") ||
           section.has("item");
}

/// {item: /pointer}
Input read_item_field(Section& section) {
    Input input{Input::From::item};
    input.pointer = required_pointer(section, "item");
    input.names = {input.pointer.text()};
    input.optional = section.boolean("optional", false);
    input.integer = section.boolean("integer", false);
    input.open = section.boolean("open", false);
    return input;
}

Input read_field(Section& section) {
    Input input{Input::From::form, {short_text(section, "form")}};
    input.base64_lines = section.one_of("alphabet", {"any", "base64"}, "any") == "base64";
    return input;
}

Input read_sorted_form(Section section) {
    Input input{Input::From::sorted_form, section.texts("drop")};
    if (input.names.size() > most_dropped) section.problem_at("drop", "drop must list at most eight names");
    const std::string blank = section.required_text("blank");
    input.skip_blank = blank == "skip";
    if (blank != "skip" && blank != "keep")
        section.problem_at("blank", "blank must be skip or keep: what to do with fields without a value");
    return input;
}

Input read_input(Section& section) {
    Input input;
    if (section.has("item")) return read_item_field(section);
    if (section.has("header")) {
        input = read_headers(section, "header");
    } else if (section.has("pair")) {
        input = {Input::From::pair, {short_text(section, "pair")}};
    } else if (section.has("form")) {
        const auto form = section.value("form");
        if (form->is_mapping()) return read_sorted_form(section.section("form"));
        input = read_field(section);
    } else {
        input = {Input::From::query, {short_text(section, "query")}};
    }
    if (input.from == Input::From::pair) return input;
    input.optional = section.boolean("optional", false);
    if (input.from == Input::From::form) return input;
    input.lower = section.one_of("case", {"as-is", "lower"}, "as-is") == "lower";
    return input;
}

}  // namespace sluice::webhook
