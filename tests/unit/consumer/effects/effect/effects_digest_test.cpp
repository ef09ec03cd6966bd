#include "consumer/effects/effect/effects_digest.hpp"

#include <gtest/gtest.h>

#include "tests/unit/consumer/effects/configuration.hpp"

namespace sluice::effects {
namespace {

crypto::Digest digest_in(const std::string& effects, const webhook::SourceSet& of = sources()) {
    return read_with("effects:\n" + effects,
                     [&of](const config::Document& document, config::Problems&) {
                         return digest_of(*document.value("effects"), of);
                     })
        .value;
}

const std::string pay_effect =
    "  - {name: pay, when: {source: stripe-eu, type: [a, b]}, sql: [{run: DELETE FROM t}]}\n";
const std::string mail_effect = "  - {name: mail, when: {type: c}, sql: [{run: DELETE FROM u}]}\n";

TEST(EffectsDigest, IsTheSameHoweverTheFileSaysIt) {
    EXPECT_EQ(digest_in(pay_effect), digest_in("  # in full\n"
                                               "  - when:\n"
                                               "      type: ['a', \"b\"]\n"
                                               "      source: stripe-eu\n"
                                               "    sql:\n"
                                               "      - run: DELETE FROM t\n"
                                               "    name: pay\n"));
}

TEST(EffectsDigest, IsAnotherOneForEachThingThatMatters) {
    EXPECT_NE(digest_in(pay_effect + mail_effect), digest_in(mail_effect + pay_effect))
        << "they run in file order";
    EXPECT_NE(digest_in(pay_effect), digest_in(pay_effect + mail_effect));
    for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
             {"name: pay", "name: pays"}, {"[a, b]", "[b, a]"}, {"[a, b]", "[ab]"}, {"FROM t", "FROM t2"}}) {
        std::string other = pay_effect;
        other.replace(other.find(from), from.size(), to);
        EXPECT_NE(digest_in(pay_effect), digest_in(other)) << other;
    }
}

TEST(EffectsDigest, KnowsWhoseEventsANamedSourceStandsFor) {
    const webhook::SourceSet moved{source_of("stripe-eu", "stripe", "acct_new")};
    EXPECT_NE(digest_in(pay_effect), digest_in(pay_effect, moved));
    EXPECT_EQ(digest_in(mail_effect), digest_in(mail_effect, moved)) << "it names none";
}

}  // namespace
}  // namespace sluice::effects
