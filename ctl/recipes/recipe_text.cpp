#include "ctl/recipes/recipe_text.hpp"

#include <algorithm>
#include <array>
#include <format>

#include "common/joined.hpp"

namespace sluice::ctl {
namespace {

using webhook::Container;
using webhook::Input;
using webhook::Recipe;
using webhook::SignedPart;

constexpr std::array algorithm_names{"HMAC-SHA256", "HMAC-SHA1", "RSA with SHA-256 (PKCS #1 v1.5)", "Ed25519",
                                     "a token"};
constexpr std::array encoding_names{"lower-case hex", "hex", "base64", "text"};

std::string text_of(const Input& input) {
    std::string names = joined(input.names, " or ");
    switch (input.from) {
        case Input::From::header:
            return "header " + names;
        case Input::From::pair:
            return names;
        case Input::From::query:
            return "parameter " + names + (input.lower ? " in lower case" : "");
        case Input::From::crc32:
            return "CRC-32 of the body";
        case Input::From::sorted_form:
            return std::string{input.hashed ? "SHA-256 of " : ""} + "all fields except " +
                   joined(input.names, ", ");
        case Input::From::form:
            return "field " + names;
        case Input::From::item:
            return names;
    }
    return names;
}

std::string text_of(const SignedPart& part) {
    switch (part.kind) {
        case SignedPart::Kind::literal:
            return part.text == "\n" ? "line feed" : "\"" + part.text + "\"";
        case SignedPart::Kind::body:
            return "body";
        case SignedPart::Kind::timestamp:
            return "timestamp";
        case SignedPart::Kind::setting:
            return "with." + part.text;
        case SignedPart::Kind::input:
            break;
    }
    return text_of(part.input);
}

/// What may be absent stands in brackets.
std::string text_of(const webhook::Reading& reading) {
    std::string text;
    for (std::size_t i = 0; i < reading.size(); ++i) {
        const auto& group = reading[i].only_if;
        const bool begins = group && (i == 0 || reading[i - 1].only_if != group);
        const bool ends = group && (i + 1 == reading.size() || reading[i + 1].only_if != group);
        text +=
            (i == 0 ? "" : " + ") + std::string{begins ? "[" : ""} + text_of(reading[i]) + (ends ? "]" : "");
    }
    return text.empty() ? "nothing" : text;
}

std::string place_of_signature(const Recipe& recipe) {
    const webhook::SignatureRule& rule = recipe.signature;
    std::string text = text_of(rule.input);
    if (rule.container == Container::prefix) text += ", after \"" + rule.prefix + "\"";
    if (rule.container == Container::pairs)
        text += std::format(", as {}{}… between \"{}\", up to {}", rule.pair, rule.assign,
                            std::string{rule.separator}, rule.most);
    if (rule.container == Container::labelled)
        text += std::format(", each after its {} and \"{}\"",
                            rule.label == webhook::Label::version ? "version" : "key's id",
                            std::string{rule.assign});
    return text + ", " + encoding_names[static_cast<std::size_t>(rule.encoding)];
}

std::string window_of(const Recipe& recipe) {
    const webhook::TimestampRule& rule = recipe.timestamp;
    if (rule.in == webhook::TimestampRule::In::none)
        return "none: an old request cannot be distinguished from a new one";
    if (!rule.window) return text_of(rule.input) + ", of any age: only the event's id reveals a replay";
    return std::format("{}, up to {} s old and {} s ahead{}", text_of(rule.input), rule.window->past.count(),
                       rule.window->future.count(), rule.window->ends_are_inside ? "" : ", ends excluded");
}

std::string order_of(const Recipe& recipe) {
    const auto& fields = recipe.extraction.order_by;
    if (fields.empty()) return "the event's id: events have no order";
    return joined(fields, ", else ", [](const webhook::ObjectField& field) {
        return webhook::name_of(webhook::Facts{{field.value}});
    });
}

std::string settings_of(const Recipe& recipe) {
    if (recipe.settings.empty()) return "none";
    return joined(recipe.settings, "; ", [](const webhook::SettingRule& rule) {
        const std::string values = joined(rule.one_of, ", ");
        return rule.name + (values.empty() ? "" : " (" + values + ")") +
               (rule.fallback.empty() ? "" : ", " + rule.fallback + " unless given");
    });
}

std::string answer_text(const webhook::Answer& answer) {
    return std::to_string(answer.status) + (answer.body.empty() ? "" : " " + answer.body);
}

std::string disabled_text(const webhook::AnswerTable& answers) {
    if (!answers.disabled_after) return "not known";
    return std::format("when nothing has succeeded for {} h",
                       std::chrono::duration_cast<std::chrono::hours>(*answers.disabled_after).count());
}

std::string trust_of(const Recipe& recipe) {
    const auto& items = recipe.extraction.items;
    if (recipe.trust == webhook::Trust::full && items && items->each_signed)
        return "full, for the fields that are signed: effects must say `when: {trust: fields}` to read "
               "others";
    if (recipe.trust == webhook::Trust::full) return "full: the signature covers what is read from the body";
    const std::string level{name_of(recipe.trust)};
    const std::string what = recipe.trust == webhook::Trust::type ? ", and which types it may be," : "";
    return level + ": effects must say `when: {trust: " + level + "}`" + what + " to act on it";
}

}  // namespace

std::string algorithms_of(const Recipe& recipe) {
    return joined(recipe.keys, " or ", [](const webhook::KeyRule& rule) {
        return std::string{algorithm_names[static_cast<std::size_t>(rule.algorithm)]};
    });
}

std::string signed_text_of(const Recipe& recipe) {
    return joined(recipe.signed_rule.choices, "; ", [&](const auto& choice) {
        const std::string readings =
            joined(choice.readings, " or ", [](const webhook::Reading& reading) { return text_of(reading); });
        return choice.value.empty() ? readings
                                    : recipe.signed_rule.setting + " " + choice.value + ": " + readings;
    });
}

std::vector<std::pair<std::string, std::string>> explain(const Recipe& recipe) {
    const auto& items = recipe.extraction.items;
    return {{"provider", recipe.provider},
            {"algorithm", algorithms_of(recipe)},
            {"signed", signed_text_of(recipe)},
            {"signature", place_of_signature(recipe)},
            {"timestamp", window_of(recipe)},
            {"settings", settings_of(recipe)},
            {"trust", trust_of(recipe)},
            {"events", items ? "several in one delivery, at " + items->at.text() +
                                   (items->each_signed ? ", each signed" : "")
                             : "one per delivery"},
            {"id", name_of(recipe.extraction.id)},
            {"type", name_of(recipe.extraction.type)},
            {"ordered by", order_of(recipe)},
            {"answers", "success " + answer_text(recipe.answers.success) + ", bad signature " +
                            answer_text(recipe.answers.bad_signature) +
                            std::format(", within {} ms", recipe.answer_within.count())},
            {"endpoint disabled", disabled_text(recipe.answers)}};
}

}  // namespace sluice::ctl
