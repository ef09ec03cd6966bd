#include <algorithm>

#include "common/webhook/recipe_file/names.hpp"
#include "common/webhook/recipe_file/read_input.hpp"
#include "common/webhook/recipe_file/read_recipe.hpp"

namespace sluice::webhook {

namespace {

using config::Section;
using config::Value;

constexpr std::size_t most_required = 8;
constexpr std::size_t most_binds = 8;

/// A header's name, or {header or form: NAME, is: TEXT, optional}.
Requirement read_requirement(const Value& value, const std::string& path) {
    Requirement one;
    if (value.is_scalar()) {
        one.input = {Input::From::header, {value.scalar()}};
        if (!is_header_name(value.scalar()))
            value.problem("a header's name must have only letters, digits and -");
        return one;
    }
    Section section(value, path);
    one.input = section.has("form") ? read_input(section) : read_headers(section, "header");
    if (one.input.from == Input::From::header) one.input.optional = section.boolean("optional", false);
    if (one.input.from == Input::From::sorted_form)
        section.problem_at("form", "form must be the name of one field");
    one.is = section.text("is", "");
    return one;
}

void read_required(Section& section, std::vector<Requirement>& required) {
    const auto value = section.value("require");
    if (!value) return;
    const std::string path = section.path() + ".require";
    const std::vector<Value> items = value->is_list() ? value->items() : std::vector<Value>{*value};
    for (const Value& item : items) required.push_back(read_requirement(item, path));
    if (required.size() > most_required) value->problem("require must list at most eight headers and fields");
}

bool has_text_setting_for(const Recipe& recipe, std::string_view name) {
    const auto found = std::ranges::find(recipe.settings, name, &SettingRule::name);
    return found != recipe.settings.end() && found->kind == SettingRule::Kind::text;
}

/// {form: NAME, setting: NAME, optional} or {item: /pointer, setting: NAME}
void read_binds(Section& section, Recipe& recipe) {
    for (Section& bind : section.sections("bind")) {
        const bool is_item = bind.has("item");
        Input input = is_item ? read_input(bind) : Input{Input::From::form, {short_text(bind, "form")}};
        if (!is_item) input.optional = bind.boolean("optional", false);
        Bind one{std::move(input), bind.required_text("setting")};
        if (!has_text_setting_for(recipe, one.setting))
            bind.problem_at("setting", "setting \"" + one.setting + "\" is not declared under with");
        recipe.binds.push_back(std::move(one));
    }
    if (recipe.binds.size() > most_binds) section.problem_at("bind", "bind must list at most eight fields");
}

SettingRule::Kind setting_kind(Section& section) {
    using enum SettingRule::Kind;
    const std::string kind =
        section.one_of("kind", {"text", "list", "secret", "certificates", "folder"}, "text");
    if (kind == "list") return texts;
    if (kind == "secret") return secret;
    if (kind == "certificates") return certificates;
    return kind == "folder" ? folder : text;
}

SettingRule read_setting_rule(const std::string& name, const Value& value, const std::string& path) {
    SettingRule rule{.name = name};
    Section section(value, path);
    rule.kind = setting_kind(section);
    rule.bytes = static_cast<std::size_t>(section.integer("bytes", 0, 0, 1024));
    rule.one_of = section.texts("one_of");
    rule.fallback = section.text("default", "");
    rule.optional = section.boolean("optional", false);
    if (!is_setting_name(name))
        section.problem("a setting's name must have 1 to 63 characters of a-z, 0-9 and _");
    const bool is_known =
        rule.fallback.empty() || rule.one_of.empty() || std::ranges::contains(rule.one_of, rule.fallback);
    if (!is_known) section.problem_at("default", "default must be one of those in one_of");
    return rule;
}

void read_setting_rules(Section& section, std::vector<SettingRule>& settings) {
    const auto value = section.value("with");
    if (!value) return;
    for (const auto& [key, rule] : value->entries()) {
        settings.push_back(read_setting_rule(key.scalar(), rule, section.path() + ".with." + key.scalar()));
    }
}

}  // namespace

void read_conditions(Section& section, Recipe& recipe) {
    read_setting_rules(section, recipe.settings);
    read_required(section, recipe.required);
    read_binds(section, recipe);
    if (section.has("challenge")) {
        Section challenge = section.section("challenge");
        recipe.challenge = short_text(challenge, "query");
    }
}

}  // namespace sluice::webhook
