// What `sluicectl send` signs, the ingress's own engine must take; what it spoils, the engine must refuse and
// name the reason. The sources are those of the signed requests in tests/vectors.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "common/webhook/recipe/program.hpp"
#include "common/webhook/recipe_file/recipe_set.hpp"
#include "ctl/send/signing/forgery.hpp"
#include "ctl/send/signing/form_text.hpp"
#include "ctl/send/traffic/request_maker.hpp"
#include "ctl/send/traffic/sample_story.hpp"
#include "tests/unit/common/webhook/vector_files.hpp"

namespace sluice::ctl {
namespace {

using webhook::test::at_unix;

const WallTime noon = at_unix(1'795'258'000);

std::string file_of_keys(const std::string& name) {
    std::ifstream file(std::string{SLUICE_VECTORS} + "/generate/keys/" + name);
    return {std::istreambuf_iterator<char>{file}, {}};
}

/// PayPal's certificate lies under the address that the samples name.
void name_address_of_samples(webhook::test::Json& source) {
    const std::string address = "https://" + source["with"]["cert_hosts"][0].get<std::string>() +
                                "/v1/notifications/certs/CERT-sample";
    const std::string name = crypto::to_hex(crypto::sha256(address)) + ".pem";
    source["with"]["cert_cache"]["files"] = {
        {name, file_of_keys("paypal_leaf.pem") + file_of_keys("paypal_intermediate.pem")}};
}

/// The certificate of whoever signs, where it comes with the message.
std::string certificate_for(const std::string& recipe) {
    return recipe == "unionpay" ? file_of_keys("union_leaf.pem") : std::string{};
}

/// Without an order_by of its own: the recipe's is to be tried. Stripe's signed requests are elsewhere.
webhook::test::Json source_for(const std::string& recipe) {
    if (recipe == "stripe") return {{"keys", {{{"id", "k1"}, {"value", "whsec_of_this_test"}}}}};
    webhook::test::Json source = webhook::test::read_vectors(recipe)["source"];
    source.erase("order_by");
    if (recipe == "paypal") name_address_of_samples(source);
    return source;
}

class EveryProvider : public testing::TestWithParam<std::string> {
protected:
    EveryProvider() {
        configured_.emplace(webhook::test::configured_for(source_for(GetParam()), GetParam(), files_));
        source_ = configured_->sources.at(0);
    }

    [[nodiscard]] Signer signer() const {
        auto key = SigningKey::of(*source_, noon);
        if (!key)
            key = SigningKey::from_pem(*source_, file_of_keys("signer.key.pem"), certificate_for(GetParam()));
        return {source_, key.value()};
    }

    [[nodiscard]] std::vector<OutgoingRequest> requests(std::vector<Edit> edits = {}) const {
        RequestMaker::Settings settings;
        settings.edits = std::move(edits);
        settings.source = source_;
        settings.path = source_->path;
        const RequestMaker maker{settings};
        std::vector<OutgoingRequest> all;
        for (const EventSample& sample : samples_of(GetParam())) {
            SampleStory story{{.types = {sample.type}, .seed = 7, .created = 1'795'257'990}};
            all.push_back(maker.make(story.next(), Kind::fresh));
        }
        return all;
    }

    [[nodiscard]] std::string verdict_on(const OutgoingRequest& request) const {
        webhook::Scratch scratch;
        const ArrivedRequest arrived{request};
        const auto verdict = webhook::verify(*source_, arrived.view(), noon, scratch, /*explain=*/true);
        return verdict ? "accepted" : std::string{webhook::name_of(verdict.error().check)};
    }

    webhook::test::Files files_;
    std::optional<webhook::test::Configured> configured_;
    std::shared_ptr<const webhook::Source> source_;
};

const std::map<Forgery, std::set<std::string>> reasons{
    {Forgery::changed_body, {"signature_mismatch"}},
    {Forgery::wrong_signature, {"signature_mismatch"}},
    {Forgery::no_signature, {"missing_header", "no_signature"}},
    {Forgery::other_key, {"signature_mismatch"}},
    {Forgery::repeated_signature, {"repeated_header", "repeated_field"}},
    {Forgery::wrong_encoding, {"signature_encoding"}},
    {Forgery::from_the_future, {"too_new"}},
    {Forgery::other_account, {"not_bound"}},
    {Forgery::probe, {"probe"}},
};

std::vector<std::string> all_recipes() {
    std::vector<std::string> names;
    for (const auto& recipe : webhook::RecipeSet::builtin().all()) names.push_back(recipe.name);
    return names;
}

}  // namespace

TEST_P(EveryProvider, SignedSamplesAreAuthenticAndRead) {
    ASSERT_FALSE(requests().empty());
    for (OutgoingRequest& request : requests()) {
        EXPECT_FALSE(request.body.contains("{{")) << request.body;
        ASSERT_EQ(signer().sign(request, noon), (std::expected<void, std::string>{}));
        EXPECT_EQ(verdict_on(request), "accepted") << request.body;
        const Facts facts = facts_of(*source_, request);
        EXPECT_FALSE(facts.id.empty()) << request.body;
        EXPECT_FALSE(facts.object.empty()) << request.body;
        const bool is_named = std::ranges::contains(samples_of(GetParam()), facts.type, &EventSample::type);
        EXPECT_TRUE(is_named || source_->has_items) << facts.type;
    }
}

TEST_P(EveryProvider, ACertificateThatComesWithTheMessageIsAskedFor) {
    if (certificate_for(GetParam()).empty()) return;
    const auto key = SigningKey::from_pem(*source_, file_of_keys("signer.key.pem"), "");
    ASSERT_FALSE(key);
    EXPECT_TRUE(key.error().contains("give --certificate FILE")) << key.error();
}

TEST_P(EveryProvider, AnEditOfAFormIsSentAsItStands) {
    const auto& samples = samples_of(GetParam());
    const auto sent = requests({edit_from_text("/added=8.880e1")});
    const FormFields::value_type wanted{"added", "8.880e1"};
    for (std::size_t i = 0; i < samples.size(); ++i) {
        if (!samples[i].is_form) continue;
        EXPECT_TRUE(std::ranges::contains(form_fields(sent[i].body), wanted)) << sent[i].body;
    }
}

TEST_P(EveryProvider, ASecondDeliveryIsOfTheSameEvent) {
    std::vector<OutgoingRequest> first = requests();
    std::vector<OutgoingRequest> second = requests();
    for (std::size_t i = 0; i < first.size(); ++i) {
        ASSERT_TRUE(signer().sign(first[i], noon - std::chrono::seconds{2}));
        ASSERT_TRUE(signer().sign(second[i], noon));
        EXPECT_EQ(facts_of(*source_, first[i]).id, facts_of(*source_, second[i]).id);
    }
}

TEST_P(EveryProvider, EachForgeryIsRefusedForItsReason) {
    for (const Forgery forgery : forgeries_for(*source_)) {
        for (OutgoingRequest& request : requests()) {
            ASSERT_TRUE(forge(request, forgery, signer(), noon)) << name_of(forgery);
            const std::string verdict = verdict_on(request);
            EXPECT_TRUE(reasons.at(forgery).contains(verdict)) << name_of(forgery) << ": " << verdict;
        }
    }
}

TEST_P(EveryProvider, WhatIsTooOldIsRefused) {
    if (!source_->program->window) return;  // signs no time, or nothing is too old
    for (OutgoingRequest& request : requests()) {
        ASSERT_TRUE(signer().sign(request, noon - source_->program->window->past - std::chrono::seconds{1}));
        EXPECT_EQ(verdict_on(request), "too_old");
    }
}

INSTANTIATE_TEST_SUITE_P(Recipes, EveryProvider, testing::ValuesIn(all_recipes()), [](const auto& test) {
    std::string name = test.param;
    std::ranges::replace(name, '-', '_');
    return name;
});

}  // namespace sluice::ctl
