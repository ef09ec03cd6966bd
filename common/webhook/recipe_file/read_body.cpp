#include "common/webhook/recipe_file/read_facts.hpp"
#include "common/webhook/recipe_file/read_input.hpp"
#include "common/webhook/recipe_file/read_recipe.hpp"

namespace sluice::webhook {

namespace {

using config::Section;

constexpr std::string_view body_kinds =
    "body must be json, form, {form: {charset: FIELD}}, {json_or_form: FIELD}, {xml_in_form: FIELD} or "
    "{json: {decrypt: /POINTER, key: SETTING}}";

/// Names as WeChat Pay has them.
EncryptedRule read_encrypted(Section json) {
    const std::string at = required_pointer(json, "decrypt").text();
    const auto member = [&](std::string_view name) {
        return Pointer::parse(at + "/" + std::string(name)).value_or(Pointer{});
    };
    return {member("algorithm"), member("ciphertext"), member("nonce"), member("associated_data"),
            json.required_text("key")};
}

void read_kind(Section& body, BodyRule& rule) {
    using enum BodyRule::Kind;
    if (body.has("form")) {
        rule.kind = form;
        Section section = body.section("form");
        rule.charset = section.text("charset", "");
    } else if (body.has("json_or_form")) {
        rule.kind = json_or_form;
        rule.field = short_text(body, "json_or_form");
    } else if (body.has("xml_in_form")) {
        rule.kind = xml_in_form;
        rule.field = short_text(body, "xml_in_form");
    } else if (body.has("json")) {
        rule.encrypted = read_encrypted(body.section("json"));
    } else {
        body.problem(std::string(body_kinds));
    }
}

}  // namespace

void read_body(Section& section, BodyRule& rule) {
    const auto value = section.value("body");
    if (!value) return section.problem("body is missing: json or form");
    if (value->is_mapping()) {
        Section body(*value, section.path() + ".body");
        return read_kind(body, rule);
    }
    if (value->scalar() == "form") rule.kind = BodyRule::Kind::form;
    if (value->scalar() != "form" && value->scalar() != "json") value->problem(std::string(body_kinds));
}

}  // namespace sluice::webhook
