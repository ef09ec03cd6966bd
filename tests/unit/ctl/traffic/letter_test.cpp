#include "ctl/traffic/letter.hpp"

#include <gtest/gtest.h>

#include "ctl/embedded.hpp"
#include "ctl/traffic/stripe_story.hpp"
#include "ingress/verify/extract.hpp"
#include "ingress/verify/verify.hpp"
#include "tests/unit/ctl/sample_source.hpp"

namespace sluice::ctl {
namespace {

constexpr std::int64_t noon = 1'790'000'000;

SampleEvent first_of(const std::string& type) {
    return StripeStory{{.types = {type}, .customers = 3, .seed = 9, .created = noon}}.next();
}

std::string body_of(const std::string& type, Kind kind = Kind::fresh) {
    return BodyMaker{{}}.make(first_of(type), kind);
}

bool is_authentic(const verify::Source& source, const RequestHeaders& headers, const std::string& body) {
    std::vector<verify::HeaderField> fields;
    for (const auto& [name, value] : headers) fields.push_back({name, value});
    verify::Scratch scratch;
    return verify::verify(source, {.method = "POST", .target = source.path, .headers = fields, .body = body},
                          at(noon), scratch)
        .has_value();
}

crypto::Digest digest_of(const verify::Source& source, const std::string& body) {
    verify::JsonView view;
    return verify::extract(source, {.method = "POST", .target = source.path, .headers = {}, .body = body},
                           view)
        .value()
        .headers.content_digest;
}

}  // namespace

TEST(Letter, EverySampleIsReadByTheRecipeAndHasNoPlaceLeftOpen) {
    const auto source = sample_source();
    ASSERT_EQ(stripe_samples().size(), stripe_story_types().size());
    for (const auto& type : stripe_story_types()) {
        const SampleEvent event = first_of(type);
        const std::string body = BodyMaker{{}}.make(event, Kind::fresh);
        EXPECT_FALSE(body.contains("{{")) << body;
        const Facts facts = facts_of(*source, body);
        EXPECT_EQ(facts.id, event.id) << type;
        EXPECT_EQ(facts.type, event.type);
        EXPECT_EQ(facts.customer, event.customer);
    }
}

TEST(Letter, SnapshotsAreAboutTwoKilobytes) {
    for (const auto& type :
         {"payment_intent.succeeded", "charge.refunded", "invoice.payment_failed", "customer.updated"}) {
        EXPECT_GT(body_of(type).size(), 1800U) << type;
        EXPECT_LT(body_of(type).size(), 3000U) << type;
    }
}

TEST(Letter, ARefundIsOrderedWithItsPaymentAndMovesTheDifference) {
    SampleEvent refund = first_of("charge.refunded");
    refund.before = 200;
    refund.after = 350;
    const Facts facts = facts_of(*sample_source(), BodyMaker{{}}.make(refund, Kind::fresh));
    EXPECT_EQ(facts.object, refund.object);
    EXPECT_EQ(facts.amount, 150);
}

TEST(Letter, ADuplicateHasOtherBytesAndTheSameDigest) {
    const auto source = sample_source();
    const std::string fresh = body_of("payment_intent.succeeded");
    const std::string again = body_of("payment_intent.succeeded", Kind::duplicate);
    EXPECT_NE(fresh, again);
    EXPECT_EQ(digest_of(*source, fresh), digest_of(*source, again));
}

TEST(Letter, GenuineOnesVerifyAndOthersDoNot) {
    const auto source = sample_source();
    const auto verifies = [&](Kind kind, std::size_t variation) {
        std::string body = body_of("payment_intent.succeeded");
        const auto headers = sign_as(kind, *source, body, at(noon), std::chrono::seconds{600}, variation);
        return is_authentic(*source, headers.value(), body);
    };
    EXPECT_TRUE(verifies(Kind::fresh, 0));
    EXPECT_TRUE(verifies(Kind::duplicate, 1));
    EXPECT_FALSE(verifies(Kind::stale, 0));
    for (std::size_t variation = 0; variation < 3; ++variation)
        EXPECT_FALSE(verifies(Kind::forged, variation)) << variation;
}

TEST(Letter, AForgeryThatIsChangedAfterSigningClaimsAnotherAmount) {
    const auto source = sample_source();
    std::string body = body_of("payment_intent.succeeded");
    const std::string signed_body = body;
    static_cast<void>(sign_as(Kind::forged, *source, body, at(noon), std::chrono::seconds{600}, 0));
    EXPECT_NE(facts_of(*source, body).amount, facts_of(*source, signed_body).amount);
}

TEST(Letter, AnOwnBodyIsSentAsItIsOrGetsAnIdPerEvent) {
    const SampleEvent event = first_of("payment_intent.succeeded");
    const std::string own = "{ \"id\":\"evt_own\" , \"n\":1}";
    const BodyMaker as_it_is{{.own_body = own, .own_body_as_it_is = true, .edits = {}}};
    EXPECT_EQ(as_it_is.make(event, Kind::fresh), own);
    const BodyMaker per_event{
        {.own_body = own, .own_body_as_it_is = false, .edits = {edit_from_text("/n=2")}}};
    const Json made = parse_json(per_event.make(event, Kind::fresh)).value();
    EXPECT_EQ(made["id"], event.id);
    EXPECT_EQ(made["n"], 2);
}

}  // namespace sluice::ctl
