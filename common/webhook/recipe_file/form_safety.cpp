#include <algorithm>

#include "common/webhook/recipe_file/recipe_safety.hpp"

namespace sluice::webhook {

namespace {

bool reads_field(const Joined& facts, std::string_view name) {
    return std::ranges::any_of(facts, [&](const Fact& fact) {
        const auto& tokens = fact.pointer.tokens();
        return fact.from == Fact::From::pointer && !tokens.empty() && tokens.front() == name;
    });
}

bool is_read(const Extraction& extraction, std::string_view name) {
    const auto reads_it = [&](const Joined& facts) { return reads_field(facts, name); };
    return std::ranges::any_of(extraction.id, reads_it) || std::ranges::any_of(extraction.type, reads_it) ||
           std::ranges::any_of(extraction.order_by, reads_it, &ObjectField::value);
}

bool is_field(const SignedPart& part) {
    return part.kind == SignedPart::Kind::input && part.input.from == Input::From::form;
}

}  // namespace

void check_form_input(const Recipe& recipe, const Input& input, const config::Place& place,
                      config::Problems& problems) {
    const Input& own = recipe.signature.input;
    const bool is_sorted = input.from == Input::From::sorted_form;
    const bool signs_itself = is_sorted ? !std::ranges::contains(input.names, own.names.front())
                                        : input.from == Input::From::form && input.names == own.names;
    if (own.from == Input::From::form && signs_itself)
        problems.add(place, "a signature cannot be part of what it signs");
    if (!is_sorted || !covers_body(recipe.trust)) return;
    for (const std::string& name : input.names) {
        if (is_read(recipe.extraction, name))
            problems.add(place,
                         "the field \"" + name + "\" is read, although the signature does not cover it");
    }
}

void check_form_facts(const Recipe& recipe, config::Problems& problems) {
    for (const Joined& facts : recipe.extraction.id) {
        for (const Fact& fact : facts) {
            if (fact.from == Fact::From::field_digest && fact.name != recipe.body.field)
                problems.add(recipe.place, "sha256 of a field is only for the field that contains the body");
        }
    }
}

void check_challenge(const Recipe& recipe, config::Problems& problems) {
    if (recipe.challenge.empty()) return;
    if (!std::ranges::all_of(
            recipe.keys, [](Algorithm one) { return one == Algorithm::hmac_sha1; }, &KeyRule::algorithm))
        problems.add(recipe.place, "a challenge needs algorithm: hmac-sha1");
    for (const auto& choice : recipe.signed_rule.choices) {
        for (const Reading& reading : choice.readings) {
            if (!reading.empty() && !is_field(reading.front()))
                problems.add(recipe.place,
                             "with a challenge, signed must begin with a form field: a field that is itself "
                             "a challenge is refused, because anyone could have had it signed");
        }
    }
}

}  // namespace sluice::webhook
