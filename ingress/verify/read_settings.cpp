#include "ingress/verify/read_settings.hpp"

#include <algorithm>

#include "common/config/secret_reference.hpp"

namespace sluice::verify {

namespace {

using config::Section;

constexpr std::size_t longest_setting = 1024;

std::string joined(const std::vector<std::string>& texts) {
    std::string list;
    for (const std::string& text : texts) list += (list.empty() ? "" : ", ") + text;
    return list;
}

std::string read_text(Section& with, const SettingRule& rule) {
    const bool may_be_absent = rule.optional || !rule.standard.empty();
    std::string text = may_be_absent ? with.text(rule.name, rule.standard) : with.required_text(rule.name);
    if (text.size() > longest_setting) with.problem_at(rule.name, "at most 1024 bytes");
    if (!text.empty() && !rule.one_of.empty() && !std::ranges::contains(rule.one_of, text))
        with.problem_at(rule.name, rule.name + " is one of: " + joined(rule.one_of));
    return text;
}

Secret read_secret(Section& with, const SettingRule& rule, bool resolve, config::Problems& problems) {
    if (!with.has(rule.name)) with.problem(rule.name + " is missing: {file: PATH} or {env: NAME}");
    const auto reference = with.secret(rule.name);
    if (!reference || !resolve) return {};
    Secret secret = config::resolve(*reference, problems);
    if (!secret.empty() && rule.bytes != 0 && secret.bytes().size() != rule.bytes)
        with.problem_at(rule.name, rule.name + " has " + std::to_string(rule.bytes) + " bytes");
    return secret;
}

}  // namespace

SettingValues read_settings(Section with, const Recipe& recipe, bool resolve, config::Problems& problems) {
    SettingValues values;
    for (const SettingRule& rule : recipe.settings) {
        switch (rule.kind) {
            case SettingRule::Kind::text:
                values.texts.emplace(rule.name, read_text(with, rule));
                break;
            case SettingRule::Kind::secret: {
                const bool decodes = recipe.body.encrypted && recipe.body.encrypted->key == rule.name;
                values.secrets.emplace(rule.name, read_secret(with, rule, resolve || decodes, problems));
                break;
            }
        }
    }
    return values;
}

}  // namespace sluice::verify
