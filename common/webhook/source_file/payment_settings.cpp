#include "common/webhook/source_file/payment_settings.hpp"

namespace sluice::webhook {

namespace {

/// RFC 6901 section 3.
std::string as_token(std::string_view name) {
    std::string token;
    for (const char c : name) token += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
    return token;
}

/// Where a setting of the source names the last part of a pointer. Without the setting there is no such
/// place.
void set_key(Facts& facts, const SettingValues& with) {
    for (Joined& alternative : facts) {
        for (Fact& fact : alternative) {
            if (fact.key_setting.empty()) continue;
            const auto key = with.texts.find(fact.key_setting);
            const std::string name = key == with.texts.end() ? std::string{} : key->second;
            fact.pointer = Pointer::parse(fact.pointer.text() + "/" + as_token(name)).value_or(Pointer{});
        }
    }
}

bool is_of_source(const PaymentCase& one, const SettingValues& with) {
    const auto setting = with.texts.find(one.setting);
    return one.setting.empty() || (setting != with.texts.end() && setting->second == one.setting_is);
}

}  // namespace

PaymentRule with_settings(PaymentRule rule, const SettingValues& with) {
    std::erase_if(rule.cases, [&with](const PaymentCase& one) { return !is_of_source(one, with); });
    for (PaymentCase& one : rule.cases)
        for (Facts* facts : text_facts(one.fields)) set_key(*facts, with);
    return rule;
}

}  // namespace sluice::webhook
