#include "consumer/effects/when.hpp"

#include <algorithm>

namespace sluice::effects {
namespace {

bool is_any_of(const std::vector<std::string>& list, const std::string& value) {
    return list.empty() || std::ranges::contains(list, value);
}

/// The values of a key, none of them empty.
std::vector<std::string> values_of(config::Section& section, std::string_view key) {
    const bool given = section.has(key);
    auto values = section.texts(key);
    if (given && (values.empty() || std::ranges::contains(values, ""))) {
        section.problem_at(key, std::string{key} + " names nothing: give one value or a list of them");
    }
    return values;
}

}  // namespace

When When::read(config::Section section, const verify::SourceSet& sources) {
    When when;
    when.trusts_ = values_of(section, "trust");
    for (const auto& trust : when.trusts_) {
        if (trust != "none" && trust != "crc")
            section.problem_at("trust", "trust is none or crc, or a list of both");
    }
    const auto names = values_of(section, "source");
    when.providers_ = values_of(section, "provider");
    when.types_ = values_of(section, "type");
    for (const auto& name : names) {
        const auto source = std::ranges::find(sources, name, [](const auto& one) { return one->name; });
        if (source != sources.end()) {
            when.check_trust(**source, section);
            when.accounts_.push_back({(*source)->provider, (*source)->principal});
        } else if (!name.empty()) {
            section.problem_at("source", "there is no source '" + name + "'");
        }
    }
    for (const auto& provider : when.providers_) {
        const auto is_of = [&provider](const auto& one) { return one->provider == provider; };
        if (provider.empty() || std::ranges::any_of(sources, is_of)) continue;
        section.problem_at("provider", "no source is of the provider '" + provider + "'");
    }
    if (!section.has("source") && !section.has("provider") && !section.has("type")) {
        section.problem("when is empty: say for which source, provider or type the effect is");
    }
    return when;
}

void When::check_trust(const verify::Source& source, config::Section& section) const {
    const std::string trust{verify::name_of(source.trust)};
    if (source.trust == verify::Trust::full || std::ranges::contains(trusts_, trust)) return;
    section.problem_at("source",
                       "the signature of source '" + source.name +
                           "' does not cover the body: if the effect may act on what anybody could have "
                           "written, say trust: " +
                           trust);
}

bool When::matches(const record::EventHeaders& headers) const {
    const auto is_of = [&headers](const Account& account) {
        return account.provider == headers.provider && account.principal == headers.principal;
    };
    return (accounts_.empty() || std::ranges::any_of(accounts_, is_of)) &&
           (headers.trust.empty() || std::ranges::contains(trusts_, headers.trust)) &&
           is_any_of(providers_, headers.provider) && is_any_of(types_, headers.type);
}

}  // namespace sluice::effects
