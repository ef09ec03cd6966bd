#pragma once

#include <memory>
#include <string>

#include "common/config/section.hpp"
#include "common/webhook/recipe/source.hpp"
#include "consumer/effects/effect_set/effect_set.hpp"

/// Pieces of configuration for the tests of effects.
namespace sluice::effects {

[[nodiscard]] inline std::shared_ptr<const webhook::Source> source_of(
    const std::string& name, const std::string& provider, const std::string& principal,
    webhook::Trust trust = webhook::Trust::full) {
    return std::make_shared<webhook::Source>(
        webhook::Source{.name = name,
                        .provider = provider,
                        .recipe = provider,
                        .principal = principal,
                        .path = "/" + name,
                        .answers = {},
                        .trust = trust,
                        .program = {nullptr, +[](const webhook::Program*) {}}});
}

/// stripe-eu and stripe-eu-2 are two URLs of one account; stripe-us and paypal are others.
[[nodiscard]] inline webhook::SourceSet sources() {
    return {source_of("stripe-eu", "stripe", "acct_eu"), source_of("stripe-eu-2", "stripe", "acct_eu"),
            source_of("stripe-us", "stripe", "acct_us"), source_of("paypal", "paypal", "acct_eu")};
}

/// Something read out of `text`, and what was wrong with it.
template <class Read>
struct Reading {
    Read value;
    std::string report;  ///< "test.yaml:3: …" lines
};

/// The value of `effects:` in a file that holds nothing else.
template <class F>
[[nodiscard]] auto read_with(const std::string& text, F read) {
    config::Problems problems;
    const auto document = config::Document::from_text(text, "test.yaml", problems);
    auto value = read(document, problems);
    return Reading<decltype(value)>{std::move(value), problems.report()};
}

/// The effects of a file that holds nothing else, for the sources above; the first is on its line 2.
[[nodiscard]] inline auto read_effects(const std::string& effects) {
    return read_with("effects:\n" + effects,
                     [](const config::Document& document, config::Problems& problems) {
                         return EffectSet::read(document, sources(), problems);
                     });
}

}  // namespace sluice::effects
