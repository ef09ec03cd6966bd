#include "ctl/recipes/page/recipe_facts.hpp"

#include <algorithm>
#include <array>
#include <format>

#include "common/joined.hpp"
#include "ctl/recipes/recipe_text.hpp"

namespace sluice::ctl {
namespace {

using webhook::Recipe;

constexpr std::array key_forms{"text",
                               "base64",
                               "hex",
                               "SHA-1 of the text",
                               "public key or certificate, PEM or base64",
                               "base64 of an Ed25519 key",
                               "none: a certificate comes with the message"};

std::string keys_of(const Recipe& recipe) {
    std::vector<std::string> forms;
    for (const webhook::KeyRule& rule : recipe.keys) {
        std::string form = key_forms[static_cast<std::size_t>(rule.form)];
        if (!rule.begins.empty()) form += ", begins with " + rule.begins;
        if (!rule.strip.empty()) form += " (not part of the key)";
        forms.push_back(std::move(form));
    }
    return joined(forms, "; or ");
}

std::string choice_of_key(const Recipe& recipe) {
    if (recipe.key_choice.by) return "the one whose id is in " + std::string{name_of(*recipe.key_choice.by)};
    if (recipe.signature.is_by_key()) return "the one whose id precedes the signature";
    return recipe.certificate ? "the certificate's" : "any live one";
}

std::string requirements_of(const Recipe& recipe) {
    std::vector<std::string> texts;
    for (const webhook::Requirement& one : recipe.required) {
        std::string text{name_of(one.input)};
        if (!one.is.empty()) text += " = " + one.is;
        if (one.input.optional) text += " if present";
        texts.push_back(std::move(text));
    }
    return joined(texts, ", ");
}

std::string binds_of(const Recipe& recipe) {
    std::vector<std::string> texts;
    for (const webhook::Bind& one : recipe.binds)
        texts.push_back(std::string{name_of(one.input)} + " = with." + one.setting);
    return joined(texts, ", ");
}

std::string answer_of(const webhook::Answer& answer) {
    std::string text = std::to_string(answer.status);
    if (!answer.body.empty()) text += " `" + answer.body + "`";
    return text;
}

std::string digest_of(const Recipe& recipe) {
    const auto& extraction = recipe.extraction;
    if (extraction.fields_digest)
        return "all fields except " + joined(extraction.fields_digest->all_but, ", ");
    std::vector<std::string> alternatives;
    for (const webhook::DigestParts& parts : extraction.digest) {
        std::vector<std::string> pointers;
        for (const auto& pointer : parts)
            pointers.emplace_back(pointer.text().empty() ? "the body" : pointer.text());
        alternatives.push_back(pointers.empty() ? "only the id" : joined(pointers, " and "));
    }
    return alternatives.empty() ? "only the id" : joined(alternatives, ", else ");
}

std::string times_of(const std::vector<webhook::TimeField>& fields, const std::string& without) {
    std::vector<std::string> texts;
    for (const webhook::TimeField& field : fields)
        texts.push_back(webhook::name_of(webhook::Facts{{field.at}}) +
                        (field.zone.empty() ? "" : " (" + field.zone + ")"));
    return texts.empty() ? without : joined(texts, ", else ");
}

std::string livemode_of_recipe(const Recipe& recipe) {
    const auto& extraction = recipe.extraction;
    if (!extraction.livemode_setting.empty())
        return "with." + extraction.livemode_setting + " = " + extraction.live_text;
    const std::string fallback = extraction.livemode_if_absent ? "live" : "test";
    if (!extraction.livemode) return "always " + fallback;
    const std::string is = extraction.live_text.empty() ? "" : " = " + extraction.live_text;
    return extraction.livemode->text() + is + (extraction.means_test ? " means test" : "") + ", " + fallback +
           " if absent";
}

void add_if_any(RecipeFacts& facts, std::string name, std::string text) {
    if (!text.empty()) facts.emplace_back(std::move(name), std::move(text));
}

}  // namespace

RecipeFacts signature_facts(const Recipe& recipe) {
    RecipeFacts facts;
    for (auto& [name, text] : explain(recipe)) {
        const bool is_of_signature =
            std::ranges::contains(std::array{"algorithm", "signed", "signature", "timestamp", "trust"}, name);
        if (is_of_signature) facts.emplace_back(name, text);
    }
    facts.emplace_back("keys", keys_of(recipe));
    facts.emplace_back("which key", choice_of_key(recipe));
    add_if_any(facts, "must be there", requirements_of(recipe));
    add_if_any(facts, "must equal", binds_of(recipe));
    return facts;
}

RecipeFacts answer_facts(const Recipe& recipe) {
    return {{"stored in Kafka; a duplicate; authentic but unreadable", answer_of(recipe.answers.success)},
            {"not authentic", answer_of(recipe.answers.bad_signature)},
            {"body too large", answer_of(recipe.answers.too_large)},
            {"not stored in time", answer_of(recipe.answers.overloaded)},
            {"over a limit of its client", recipe.answers.can_be_limited ? answer_of(recipe.answers.limited)
                                                                         : "none: it would not come again"}};
}

RecipeFacts event_facts(const Recipe& recipe) {
    RecipeFacts facts;
    for (auto& [name, text] : explain(recipe)) {
        const bool is_of_event =
            std::ranges::contains(std::array{"events", "id", "type", "ordered by"}, name);
        if (is_of_event) facts.emplace_back(name, text);
    }
    facts.emplace_back("same content", digest_of(recipe));
    facts.emplace_back("time", times_of(recipe.extraction.time, "none"));
    facts.emplace_back("day", times_of(recipe.extraction.day, "none: the event is undated"));
    facts.emplace_back("livemode", livemode_of_recipe(recipe));
    return facts;
}

}  // namespace sluice::ctl
