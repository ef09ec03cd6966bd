#include "consumer/effects/effect/when.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "common/config/nearest_key.hpp"
#include "common/joined.hpp"
#include "common/webhook/recipe/program.hpp"
#include "common/webhook/recipe/type_name.hpp"
#include "common/webhook/recipe_file/read_recipe.hpp"
#include "consumer/effects/effect/misspelt_types.hpp"

namespace sluice::effects {
namespace {

constexpr std::array<std::string_view, 4> levels{"none", "crc", "type", "fields"};

bool is_any_of(const std::vector<std::string>& list, const std::string& value) {
    return list.empty() || std::ranges::contains(list, value);
}

bool is_any_type(const std::vector<std::string>& list, std::string_view type) {
    return list.empty() ||
           std::ranges::any_of(list, [type](std::string_view one) { return webhook::means_type(one, type); });
}

/// The values of a key, none of them empty.
std::vector<std::string> values_of(config::Section& section, std::string_view key) {
    const bool given = section.has(key);
    auto values = section.texts(key);
    if (given && (values.empty() || std::ranges::contains(values, ""))) {
        section.problem_at(key, std::string{key} + " is empty: give one value or a list of values");
    }
    return values;
}

webhook::SourceSet sources_of(const std::string& provider, const webhook::SourceSet& sources) {
    webhook::SourceSet found;
    std::ranges::copy_if(sources, std::back_inserter(found),
                         [&provider](const auto& one) { return one->provider == provider; });
    return found;
}

/// False where one does not, whatever cannot be told of others.
std::expected<bool, When::Untold> all_hold(const When::BodyTests& tests, const webhook::JsonView& body) {
    std::optional<When::Untold> first_untold;
    for (const webhook::BodyTest& test : tests) {
        const auto held = webhook::holds(test, body);
        if (held && !*held) return false;
        if (!held && !first_untold) first_untold = When::Untold{&test.at, held.error()};
    }
    if (first_untold) return std::unexpected(*first_untold);
    return true;
}

/// {/pointer: TEXT, …}, or a list of these.
std::vector<When::BodyTests> read_tests(const config::Value& value, const std::string& path) {
    constexpr std::size_t most_lines = 8;
    const auto lines = value.is_list() ? value.items() : std::vector{value};
    if (lines.empty() || lines.size() > most_lines) value.problem("body must have one to eight lines");
    std::vector<When::BodyTests> tests;
    for (const config::Value& line : lines) tests.push_back(webhook::read_body_tests(line, path));
    return tests;
}

}  // namespace

When When::read(config::Section section, const webhook::SourceSet& sources) {
    When when;
    when.trusts_ = values_of(section, "trust");
    for (const auto& trust : when.trusts_) {
        if (trust == webhook::name_of(webhook::Trust::api))
            section.problem_at(
                "trust",
                "trust: api needs no naming: every effect acts on what the provider's own list "
                "says, as on what its signature covers");
        else if (!std::ranges::contains(levels, trust))
            section.problem_at("trust", "trust must be none, crc, type or fields, or a list of them");
    }
    const auto names = values_of(section, "source");
    when.providers_ = values_of(section, "provider");
    when.types_ = values_of(section, "type");
    for (const std::string& type : when.types_) {
        if (const auto star = type.find('*');
            star != std::string::npos && (star == 0 || star + 1 < type.size()))
            section.problem_at(
                "type", "'" + type + "': a * stands for the rest of a type, as in customer.subscription.*");
    }
    if (when.trusts("type") && !section.has("type"))
        section.problem_at("trust",
                           "trust: type needs type: the type is not signed, so anyone who has one delivery "
                           "could send it again under another type");
    for (const auto& name : names) {
        const auto source = std::ranges::find(sources, name, [](const auto& one) { return one->name; });
        if (source != sources.end()) {
            when.check_trust(
                {*source}, "source",
                "the signature of source '" + name + "' does not cover everything that its events say",
                section);
            when.accounts_.push_back({(*source)->provider, (*source)->principal});
        } else if (!name.empty()) {
            section.problem_at("source", "there is no source '" + name + "'");
        }
    }
    for (const auto& provider : when.providers_) {
        const auto its_sources = sources_of(provider, sources);
        if (its_sources.empty() && !provider.empty())
            section.problem_at("provider", "no source has the provider '" + provider + "'");
        when.check_trust(its_sources, "provider",
                         "no signature of provider '" + provider +
                             "' covers everything that its events say, so nothing matches",
                         section);
    }
    if (names.empty() && when.providers_.empty()) {
        when.check_trust(sources, "type",
                         "no source's signature covers everything that its events say, so nothing matches",
                         section);
    }
    if (const auto body = section.value("body")) {
        when.body_ = read_tests(*body, section.path() + ".body");
        when.place_of_body_ = body->place();
    }
    if (section.has("payment")) {
        when.payments_ = values_of(section, "payment");
        when.check_payments(sources, section);
    } else if (!section.has("source") && !section.has("provider") && !section.has("type")) {
        section.problem(
            "when is empty: name the sources, providers, types or kinds of payment that the effect is for");
    }
    for (const std::string& doubt : doubts_of_types(when, sources)) section.warn(doubt);
    return when;
}

bool When::trusts(const webhook::Source& source) const {
    return webhook::acts_unnamed(source.trust) || trusts(webhook::name_of(source.trust));
}

void When::check_trust(const webhook::SourceSet& sources, std::string_view key, const std::string& claim,
                       config::Section& section) const {
    const auto is_trusted = [this](const auto& source) { return trusts(*source); };
    if (sources.empty() || std::ranges::any_of(sources, is_trusted)) return;
    section.problem_at(key,
                       claim + ": to let the effect act on data that anyone could have written, set trust: " +
                           std::string{webhook::name_of(sources.front()->trust)});
}

bool When::is_for(const webhook::Source& source) const {
    const auto is_of = [&source](const Account& account) {
        return account.provider == source.provider && account.principal == source.principal;
    };
    return (accounts_.empty() || std::ranges::any_of(accounts_, is_of)) &&
           is_any_of(providers_, source.provider);
}

bool When::trusts(std::string_view level) const {
    return std::ranges::contains(trusts_, level);
}

bool When::believes(const record::EventHeaders& headers) const {
    return webhook::acts_unnamed(headers.trust) || trusts(headers.trust);
}

void When::check_payments(const webhook::SourceSet& sources, config::Section& section) {
    std::vector<std::string> said;
    for (const auto& source : sources) {
        if (!source->program->payment || !is_for(*source) || !trusts(*source)) continue;
        for (const webhook::PaymentCase& one : source->program->payment->cases) {
            if (!one.kind.empty() && !std::ranges::contains(said, one.kind)) said.push_back(one.kind);
        }
    }
    for (const std::string& kind : payments_) {
        if (kind.empty() || std::ranges::contains(said, kind)) continue;
        section.problem_at(
            "payment", "no source that the effect is for tells of payments that are \"" + kind + "\": " +
                           (said.empty() ? "their recipes say nothing of payments (sluicectl recipes show)"
                                         : config::hint(kind, said, "they tell of ")));
    }
}

bool When::is_for_payment(std::string_view kind) const {
    return std::ranges::contains(payments_, kind);
}

std::expected<bool, When::Untold> When::holds_in(const webhook::JsonView& body) const {
    std::optional<Untold> first_untold;
    for (const BodyTests& tests : body_) {
        const auto held = all_hold(tests, body);
        if (held && *held) return true;
        if (!held && !first_untold) first_untold = held.error();
    }
    if (first_untold) return std::unexpected(*first_untold);
    return body_.empty();
}

bool When::matches(const record::EventHeaders& headers, const SaidByBody& said) const {
    const auto is_of = [&headers](const Account& account) { return account.has(headers); };
    return (accounts_.empty() || std::ranges::any_of(accounts_, is_of)) && believes(headers) &&
           is_any_of(providers_, headers.provider) && is_any_type(types_, headers.type) &&
           (payments_.empty() || !said.payment || is_for_payment(*said.payment)) &&
           (body_.empty() || said.body == nullptr || holds_in(*said.body).value_or(true));
}

Condition When::condition_of_body(const SaidByBody& said) const {
    const auto held = said.body == nullptr ? std::unexpected(Untold{}) : holds_in(*said.body);
    const auto text = [](const webhook::BodyTest& test) {
        if (test.any_of.empty()) return test.at.text() + (test.is_there ? " there" : " not there");
        return test.at.text() + " " + joined(test.any_of, " or ");
    };
    const auto line = [&text](const BodyTests& tests) { return joined(tests, " and ", text); };
    std::string has{untold};
    std::string wanted = joined(body_, ", or ", line);
    if (held) has = *held ? wanted : "another body";
    return {"body", std::move(wanted), std::move(has), held.value_or(true)};
}

std::vector<Condition> When::conditions(const record::EventHeaders& headers, const SaidByBody& said) const {
    const auto wanted = [](const std::vector<std::string>& list) { return joined(list, " or "); };
    std::vector<Condition> all;
    if (!accounts_.empty()) {
        const auto is_of = [&headers](const Account& account) { return account.has(headers); };
        const auto name = [](const Account& account) { return account.provider + "/" + account.principal; };
        all.push_back({"source", joined(accounts_, " or ", name), headers.provider + "/" + headers.principal,
                       std::ranges::any_of(accounts_, is_of)});
    }
    if (!providers_.empty())
        all.push_back(
            {"provider", wanted(providers_), headers.provider, is_any_of(providers_, headers.provider)});
    if (!types_.empty())
        all.push_back({"type", wanted(types_), headers.type, is_any_type(types_, headers.type)});
    if (!payments_.empty())
        all.push_back({"payment", wanted(payments_), std::string{said.payment.value_or(untold)},
                       !said.payment || is_for_payment(*said.payment)});
    if (!body_.empty()) all.push_back(condition_of_body(said));
    if (!headers.trust.empty())
        all.push_back({"trust", trusts_.empty() ? "a signature that covers everything" : wanted(trusts_),
                       headers.trust, believes(headers)});
    return all;
}

}  // namespace sluice::effects
