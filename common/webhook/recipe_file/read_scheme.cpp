#include <algorithm>
#include <array>
#include <utility>

#include "common/webhook/recipe/program.hpp"
#include "common/webhook/recipe_file/names.hpp"
#include "common/webhook/recipe_file/read_input.hpp"
#include "common/webhook/recipe_file/read_recipe.hpp"

namespace sluice::webhook {

namespace {

using config::Section;
using config::Value;

template <class Meaning>
struct Word {
    std::string_view text;
    Meaning meaning;
};

constexpr std::array algorithms{
    Word{"hmac-sha256", Algorithm::hmac_sha256},
    Word{"hmac-sha1", Algorithm::hmac_sha1},
    Word{"rsa-sha256", Algorithm::rsa_sha256},
    Word{"ed25519", Algorithm::ed25519},
    Word{"equal", Algorithm::equal},
};
constexpr std::array key_forms{
    Word{"text", KeyRule::Form::text},
    Word{"base64", KeyRule::Form::base64},
    Word{"hex", KeyRule::Form::hex},
    Word{"sha1", KeyRule::Form::sha1},
    Word{"public-key", KeyRule::Form::public_key},
    Word{"raw-public-key", KeyRule::Form::raw_public},
    Word{"certificate", KeyRule::Form::certificate},
};

template <class Words>
auto meaning_of(Section& section, std::string_view key, const Words& words) {
    const std::string text = section.required_text(key);
    const auto found =
        std::ranges::find(words, text, [](const auto& word) { return std::string(word.text); });
    if (found != words.end()) return found->meaning;
    std::string sentence = "\"" + text + "\" is not supported for " + std::string(key) + ":";
    for (const auto& word : words) sentence += " " + std::string(word.text);
    if (!text.empty()) section.problem_at(key, sentence);
    return words.front().meaning;
}

/// The recipe fixes the algorithm: a message must not be able to choose it.
Algorithm read_algorithm(Section& section) {
    const auto value = section.value("algorithm");
    if (value && !value->is_scalar()) {
        value->problem("the recipe must fix the algorithm: it is never taken from the message");
        return Algorithm::hmac_sha256;
    }
    return meaning_of(section, "algorithm", algorithms);
}

bool is_for(KeyRule::Form form, Algorithm algorithm) {
    using enum KeyRule::Form;
    if (algorithm == Algorithm::rsa_sha256) return form == public_key || form == certificate;
    if (algorithm == Algorithm::ed25519) return form == public_key || form == raw_public;
    return form != public_key && form != raw_public && form != certificate;
}

KeyRule read_key_rule(Section& section, Algorithm algorithm, bool has_versions) {
    KeyRule rule;
    rule.algorithm = algorithm;
    rule.form = meaning_of(section, "form", key_forms);
    rule.strip = section.text("strip", "");
    rule.begins = section.text("begins", "");
    if (has_versions) rule.version = section.required_text("version");
    if (!is_for(rule.form, algorithm))
        section.problem_at("form", "keys of this form do not fit this algorithm");
    return rule;
}

/// One rule, or a list of which a key's beginning chooses: the last one takes what no other does.
void read_key_rules(Section& section, Recipe& recipe) {
    const auto value = section.value("keys");
    if (!value) return section.problem("keys is missing: {form: text}");
    const SignatureRule& signature = recipe.signature;
    const bool has_versions = signature.container == Container::labelled && signature.label == Label::version;
    if (!value->is_list()) {
        const Algorithm algorithm = read_algorithm(section);
        Section keys = section.section("keys");
        recipe.keys.push_back(read_key_rule(keys, algorithm, has_versions));
        return;
    }
    for (Section& keys : section.sections("keys")) {
        const Algorithm algorithm = read_algorithm(keys);
        recipe.keys.push_back(read_key_rule(keys, algorithm, has_versions));
        if (recipe.keys.back().begins.empty()) keys.problem("begins is missing: it distinguishes the keys");
    }
    if (recipe.keys.empty()) value->problem("keys must have at least one rule");
}

void read_key_choice(Section& section, KeyChoice& choice) {
    if (!section.has("choose_key")) return;
    Section by = section.section("choose_key");
    choice.by = read_headers(by, "header");
}

Trust read_trust(Section& section) {
    const std::string text = section.one_of("trust", {"full", "type", "crc", "none"}, "full");
    if (text == "type") return Trust::type;
    if (text == "crc") return Trust::crc;
    return text == "none" ? Trust::none : Trust::full;
}

}  // namespace

void read_scheme(Section& section, Recipe& recipe) {
    read_signature(section.section("signature"), recipe.signature);
    read_timestamp(section, recipe.timestamp);
    read_signed(section, recipe.signed_rule);
    read_key_rules(section, recipe);
    read_key_choice(section, recipe.key_choice);
    read_certificate(section, recipe);
    recipe.trust = read_trust(section);
    read_conditions(section, recipe);
}

}  // namespace sluice::webhook
