// The ready effects (ctl/effects/ready): read as one file, and each beside samples of its events.
#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "common/webhook/recipe/source.hpp"
#include "consumer/effects/effect_set/effect_set.hpp"
#include "consumer/effects/set_based/change_effect.hpp"
#include "ctl/cli/embedded.hpp"
#include "ctl/send/traffic/sample.hpp"

namespace sluice::ctl {
namespace {

effects::EffectSet all_of_them() {
    std::string text =
        "sources:\n  - {name: stripe, recipe: stripe, principal: acct_1, keys: [{id: k, value: {env: "
        "K}}]}\neffects:\n";
    for (const auto& file : ready_effects()) text += std::string{file.content};
    config::Problems problems;
    const auto document = config::Document::from_text(text, "ready.yaml", problems);
    const auto sources = webhook::read_sources_without_keys(document, problems);
    auto set = effects::EffectSet::read(document, sources, problems);
    EXPECT_EQ(problems.report(), "");
    return set;
}

const effects::Change& mirror_of(const effects::Effect& effect) {
    return effect.set_based()->changes().front();
}

bool matches(const effects::Effect& effect, const std::string& type) {
    record::EventHeaders headers;
    headers.provider = "stripe";
    headers.principal = "acct_1";
    headers.type = type;
    return effect.when().matches(headers);
}

TEST(ReadyEffects, AreOneFileWithATableEach) {
    const auto set = all_of_them();
    std::set<std::string> tables;
    for (const auto& effect : set.all()) {
        EXPECT_EQ(mirror_of(*effect).kind(), "mirror");
        tables.insert(mirror_of(*effect).table);
    }
    EXPECT_EQ(tables, (std::set<std::string>{"stripe_charge", "stripe_customer", "stripe_invoice",
                                             "stripe_payment_intent", "stripe_price", "stripe_product",
                                             "stripe_subscription"}));
    EXPECT_EQ(ready_effects().size(), tables.size());
}

TEST(ReadyEffects, KeepTheWholeObjectBesideItsColumns) {
    const auto set = all_of_them();
    for (const auto& effect : set.all()) {
        const auto columns = std::get<effects::Upsert>(mirror_of(*effect).what).wish->columns;
        EXPECT_TRUE(std::ranges::any_of(columns, [](const auto& column) {
            return column.name == "data" && column.type == "LONGTEXT";
        })) << effect->name();
    }
}

TEST(ReadyEffects, EachHasSamplesOfItsEvents) {
    const auto set = all_of_them();
    for (const auto& effect : set.all()) {
        std::size_t samples = 0;
        for (const auto& sample : samples_of("stripe")) samples += matches(*effect, sample.type) ? 1U : 0U;
        EXPECT_GE(samples, 2U) << effect->name();
    }
}

TEST(ReadyEffects, HaveATitleAndOnePlaceForTheSource) {
    for (const auto& file : ready_effects()) {
        EXPECT_TRUE(file.content.starts_with("# ")) << file.name;
        const auto first = file.content.find("source: stripe");
        ASSERT_NE(first, std::string_view::npos) << file.name;
        EXPECT_EQ(file.content.find("source: stripe", first + 1), std::string_view::npos) << file.name;
    }
}

}  // namespace
}  // namespace sluice::ctl
