#include <algorithm>

#include "common/webhook/recipe_file/recipe_safety.hpp"

namespace sluice::webhook {

namespace {

void check_setting(const Recipe& recipe, const std::string& name, SettingRule::Kind kind,
                   std::string_view what, config::Problems& problems) {
    const auto found = std::ranges::find(recipe.settings, name, &SettingRule::name);
    if (found == recipe.settings.end() || found->kind != kind || found->optional || !found->fallback.empty())
        problems.add(recipe.place, "certificate: " + std::string(what) +
                                       " must name a required setting of the matching kind");
}

}  // namespace

void check_certificate(const Recipe& recipe, config::Problems& problems) {
    using enum SettingRule::Kind;
    const bool wants_one = std::ranges::contains(recipe.keys, KeyRule::Form::certificate, &KeyRule::form);
    if (wants_one != recipe.certificate.has_value() || (wants_one && recipe.keys.size() != 1))
        problems.add(recipe.place,
                     "keys of form certificate need a certificate section and allow no other keys");
    if (!recipe.certificate) return;
    const CertificateRule& rule = *recipe.certificate;
    const bool is_many =
        recipe.signature.container == Container::pairs || recipe.signature.container == Container::labelled;
    if (is_many || recipe.key_choice.by)
        problems.add(recipe.place, "a recipe with a certificate has one signature and no choice of key");
    check_setting(recipe, rule.trust_setting, certificates, "trust", problems);
    check_setting(recipe, rule.name_setting, text, "name", problems);
    if (rule.hosts_setting.empty()) return;
    check_setting(recipe, rule.hosts_setting, texts, "hosts", problems);
    check_setting(recipe, rule.cache_setting, folder, "cache", problems);
}

}  // namespace sluice::webhook
