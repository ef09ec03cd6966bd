#include "common/webhook/recipe_file/recipe_safety.hpp"

#include <algorithm>
#include <ranges>

#include "common/webhook/http/header_lookup.hpp"
#include "common/webhook/recipe/slots.hpp"

namespace sluice::webhook {

namespace {

using Kind = SignedPart::Kind;

/// Whether this part is the timestamp, under any name.
bool is_timestamp(const Recipe& recipe, const SignedPart& part) {
    if (part.kind == Kind::timestamp) return true;
    return part.kind == Kind::input && recipe.timestamp.in != TimestampRule::In::none &&
           part.input == recipe.timestamp.input;
}

bool is_crc(const SignedPart& part) {
    return part.kind == Kind::input && part.input.from == Input::From::crc32;
}

bool is_body(const Recipe& recipe, const SignedPart& part) {
    return part.kind == Kind::body || (part.kind == Kind::input && stands_for_body(part.input, recipe.body));
}

bool is_variable(const SignedPart& part) {
    return part.kind != Kind::literal && part.kind != Kind::setting;
}

std::vector<Reading> all_readings(const Recipe& recipe) {
    std::vector<Reading> all;
    for (const auto& choice : recipe.signed_rule.choices)
        std::ranges::copy(choice.readings, std::back_inserter(all));
    return all;
}

void check_coverage(const Recipe& recipe, const Reading& reading, config::Problems& problems) {
    const auto bodies =
        std::ranges::count_if(reading, [&](const SignedPart& part) { return is_body(recipe, part); });
    const bool has_crc = std::ranges::any_of(reading, is_crc);
    if (bodies > 1) problems.add(recipe.place, "signed names the body twice");
    const bool is_of_item = recipe.extraction.items && recipe.extraction.items->each_signed;
    if (bodies == 0 && covers_body(recipe.trust) && !is_of_item) {
        problems.add(recipe.place,
                     "the signature does not cover the body, so anyone could change it: set trust: none, so "
                     "that effects must name that trust to act on the events");
    }
    if (recipe.trust == Trust::crc && !has_crc)
        problems.add(recipe.place, "trust is crc, but signed does not name the body's CRC-32");
    const bool names_time =
        std::ranges::any_of(reading, [&](const auto& part) { return is_timestamp(recipe, part); });
    const bool has_time = recipe.timestamp.in != TimestampRule::In::none;
    if (names_time && !has_time)
        problems.add(recipe.place, "signed names the timestamp, but timestamp is none");
    if (has_time && !names_time) {
        problems.add(
            recipe.place,
            "the signature does not cover the timestamp: anyone could give an old request a new one");
    }
}

/// Parts of the message need a fixed text between them, and nothing but fixed text may follow the
/// body, or bytes could move from one to the next under the same signature.
void check_readings(const Recipe& recipe, const Reading& reading, config::Problems& problems) {
    bool after_variable = false;
    bool after_digits = false;
    bool after_body = false;
    for (const SignedPart& part : reading) {
        const bool varies = is_variable(part);
        if (after_digits && part.kind == Kind::setting)
            problems.add(part.place,
                         "a setting cannot follow the timestamp directly: it may begin with a digit");
        if (after_digits && part.kind == Kind::literal && part.text.front() >= '0' &&
            part.text.front() <= '9') {
            problems.add(part.place, "a literal after the timestamp cannot begin with a digit");
        }
        if (varies && after_body) problems.add(part.place, "only literals may follow the body");
        if (varies && after_variable && !after_body) {
            problems.add(part.place, "two adjacent parts of the message need a literal between them");
        }
        after_variable = varies;
        after_digits = varies && (is_timestamp(recipe, part) || is_crc(part));
        after_body |= is_body(recipe, part);
    }
}

/// What may be left out begins and ends with fixed text, and what precedes it ends with fixed text:
/// so there is one reading, with or without it.
void check_groups(const Reading& reading, config::Problems& problems) {
    for (std::size_t i = 0; i + 1 < reading.size(); ++i) {
        if (reading[i].only_if == reading[i + 1].only_if) continue;
        if (is_variable(reading[i]) || (reading[i + 1].only_if && is_variable(reading[i + 1])))
            problems.add(reading[i + 1].place, "a group must begin and end with a literal, and follow one");
    }
    if (!reading.empty() && reading.back().only_if && is_variable(reading.back()))
        problems.add(reading.back().place, "a group must begin and end with a literal, and follow one");
}

/// The header of the signatures and the pairs in it have one meaning each.
void check_input(const Recipe& recipe, const Input& input, const config::Place& place,
                 config::Problems& problems) {
    const bool has_pairs = recipe.signature.container == Container::pairs;
    if (input.from == Input::From::pair) {
        const std::string& name = input.names.front();
        if (!has_pairs) problems.add(place, "there is no pair \"" + name + "\": the container has no pairs");
        if (has_pairs && name == recipe.signature.pair)
            problems.add(place, "a signature cannot be part of what it signs");
    }
    check_form_input(recipe, input, place, problems);
    if (input.from != Input::From::header || recipe.signature.input.from != Input::From::header) return;
    for (const auto& [name, own] : std::views::cartesian_product(input.names, recipe.signature.input.names)) {
        if (is_same_name(name, own)) problems.add(place, "a signature cannot be part of what it signs");
    }
}

bool has_text_setting(const Recipe& recipe, std::string_view name) {
    const auto found = std::ranges::find(recipe.settings, name, &SettingRule::name);
    return found != recipe.settings.end() && found->kind == SettingRule::Kind::text;
}

void check_names(const Recipe& recipe, const Reading& reading, config::Problems& problems) {
    for (const SignedPart& part : reading) {
        if (part.kind == Kind::input) check_input(recipe, part.input, part.place, problems);
        if (part.kind == Kind::body && recipe.signature.input.from == Input::From::form)
            problems.add(part.place, "a signature cannot be part of what it signs");
        const bool is_unknown = part.kind == Kind::setting && !has_text_setting(recipe, part.text);
        if (is_unknown) problems.add(part.place, "setting \"" + part.text + "\" is not declared under with");
    }
}

/// A source's setting chooses among readings that are there for each of its values.
void check_choices(const Recipe& recipe, config::Problems& problems) {
    const SignedRule& rule = recipe.signed_rule;
    if (rule.setting.empty()) return;
    const auto setting = std::ranges::find(recipe.settings, rule.setting, &SettingRule::name);
    if (setting == recipe.settings.end())
        return problems.add(recipe.place, "setting \"" + rule.setting + "\" is not declared under with");
    for (const std::string& value : setting->one_of) {
        if (!std::ranges::contains(rule.choices, value, &SignedRule::Choice::value))
            problems.add(recipe.place, "signed has no choice for \"" + value + "\"");
    }
    for (const auto& choice : rule.choices) {
        if (!std::ranges::contains(setting->one_of, choice.value))
            problems.add(recipe.place, "\"" + choice.value + "\" is not a value of " + rule.setting);
    }
}

/// A token says who sent the request, and nothing about its content.
void check_tokens(const Recipe& recipe, config::Problems& problems) {
    const bool is_token = std::ranges::contains(recipe.keys, Algorithm::equal, &KeyRule::algorithm);
    const bool signs_nothing = std::ranges::all_of(all_readings(recipe), &Reading::empty);
    if (is_token && (!signs_nothing || recipe.trust != Trust::none))
        problems.add(recipe.place, "a token covers nothing: set signed: nothing and trust: none");
    if (!is_token && signs_nothing)
        problems.add(recipe.place, "signed lists nothing: the signature would cover nothing");
    if (!is_token && recipe.signature.encoding == Encoding::text)
        problems.add(recipe.place, "encoding: text is only for tokens (algorithm: equal)");
}

/// Fields of items exist only where each item has its own signature; what is bound has its setting.
void check_fields(const Recipe& recipe, config::Problems& problems) {
    const auto& items = recipe.extraction.items;
    const bool each = items && items->each_signed;
    const auto is_field = [](const Input& input) { return input.from == Input::From::item; };
    bool any_field = is_field(recipe.signature.input);
    for (const Reading& reading : all_readings(recipe)) {
        for (const SignedPart& part : reading) any_field |= part.kind == Kind::input && is_field(part.input);
    }
    for (const Bind& bind : recipe.binds) {
        any_field |= is_field(bind.input);
        if (!std::ranges::contains(recipe.settings, bind.setting, &SettingRule::name))
            problems.add(recipe.place, "setting \"" + bind.setting + "\" is not declared under with");
    }
    if (any_field && !each)
        problems.add(recipe.place, "a signature over fields of items needs signed: each under items");
    if (each && !is_field(recipe.signature.input))
        problems.add(recipe.place, "each item is signed, but the signature is not a field of the item");
}

/// One part may hold the literal that ends it, when no other can; what is bound is known anyway.
void check_open_parts(const Recipe& recipe, const Reading& reading, config::Problems& problems) {
    const auto is_open = [&](const SignedPart& part) {
        const auto is_bound = [&](const Bind& bind) { return bind.input == part.input; };
        return part.kind == Kind::input && part.input.open && std::ranges::none_of(recipe.binds, is_bound);
    };
    if (std::ranges::count_if(reading, is_open) > 1)
        problems.add(recipe.place,
                     "only one part may be open: with two, the signed text could be read in two ways");
}

/// A setting that signed, bind or livemode names is text; the key of a body is a secret.
void check_settings(const Recipe& recipe, config::Problems& problems) {
    const std::string& mode = recipe.extraction.livemode_setting;
    if (!mode.empty() && !has_text_setting(recipe, mode))
        problems.add(recipe.place, "setting \"" + mode + "\" is not declared under with");
    if (!recipe.body.encrypted) return;
    const auto key = std::ranges::find(recipe.settings, recipe.body.encrypted->key, &SettingRule::name);
    if (key == recipe.settings.end() || key->kind != SettingRule::Kind::secret)
        problems.add(recipe.place, "the key of the body must be a setting of kind secret");
}

void check_size(const Recipe& recipe, config::Problems& problems) {
    for (const auto& choice : recipe.signed_rule.choices) {
        Program program;
        name_slots(recipe, choice.readings, recipe.binds, program);
        if (1 + program.inputs.size() > most_slots)
            problems.add(recipe.place, "at most " + std::to_string(most_slots - 1) +
                                           " headers, pairs and parameters are allowed");
    }
}

}  // namespace

void check_safety(const Recipe& recipe, config::Problems& problems) {
    for (const Reading& reading : all_readings(recipe)) {
        check_coverage(recipe, reading, problems);
        check_readings(recipe, reading, problems);
        check_groups(reading, problems);
        check_open_parts(recipe, reading, problems);
        check_names(recipe, reading, problems);
    }
    if (recipe.timestamp.in != TimestampRule::In::none)
        check_input(recipe, recipe.timestamp.input, recipe.place, problems);
    check_choices(recipe, problems);
    check_tokens(recipe, problems);
    check_fields(recipe, problems);
    check_settings(recipe, problems);
    check_certificate(recipe, problems);
    check_form_facts(recipe, problems);
    check_facts(recipe, problems);
    check_challenge(recipe, problems);
    check_size(recipe, problems);
}

}  // namespace sluice::webhook
