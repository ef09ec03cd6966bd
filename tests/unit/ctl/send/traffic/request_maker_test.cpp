#include "ctl/send/traffic/request_maker.hpp"

#include <gtest/gtest.h>

#include "common/webhook/extract/extract.hpp"
#include "common/webhook/signature/verify.hpp"
#include "ctl/send/traffic/stripe_story.hpp"
#include "tests/unit/ctl/sample_source.hpp"

namespace sluice::ctl {
namespace {

constexpr std::int64_t noon = 1'790'000'000;

SampleEvent first_of(const std::string& type) {
    return StripeStory{{.types = {type}, .customers = 3, .seed = 9, .created = noon}}.next();
}

RequestMaker::Settings plain_settings() {
    RequestMaker::Settings settings;
    settings.source = sample_source();
    settings.path = settings.source->path;
    return settings;
}

OutgoingRequest request_of(const SampleEvent& event, Kind kind = Kind::fresh) {
    return RequestMaker{plain_settings()}.make(event, kind);
}

std::string body_of(const std::string& type, Kind kind = Kind::fresh) {
    return request_of(first_of(type), kind).body;
}

bool is_authentic(const webhook::Source& source, const OutgoingRequest& request) {
    webhook::Scratch scratch;
    const ArrivedRequest arrived{request};
    return webhook::verify(source, arrived.view(), at(noon), scratch).has_value();
}

crypto::Digest digest_of(const webhook::Source& source, const std::string& body) {
    webhook::JsonView view;
    return webhook::extract(source, {.method = "POST", .target = source.path, .headers = {}, .body = body},
                            view)
        .value()
        .headers.content_digest;
}

}  // namespace

TEST(RequestMaker, EverySampleIsReadByTheRecipeAndHasNoPlaceLeftOpen) {
    const auto source = sample_source();
    for (const auto& type : stripe_story_types()) {
        const SampleEvent event = first_of(type);
        const OutgoingRequest request = request_of(event);
        EXPECT_FALSE(request.body.contains("{{")) << request.body;
        const Facts facts = facts_of(*source, request);
        EXPECT_EQ(facts.id, event.id) << type;
        EXPECT_EQ(facts.type, event.type);
        EXPECT_EQ(facts.customer, event.customer);
    }
}

TEST(RequestMaker, SnapshotsAreAboutTwoKilobytes) {
    for (const auto& type :
         {"payment_intent.succeeded", "charge.refunded", "invoice.payment_failed", "customer.updated"}) {
        EXPECT_GT(body_of(type).size(), 1800U) << type;
        EXPECT_LT(body_of(type).size(), 3000U) << type;
    }
}

TEST(RequestMaker, ARefundIsOrderedWithItsPaymentAndMovesTheDifference) {
    SampleEvent refund = first_of("charge.refunded");
    refund.before = 200;
    refund.after = 350;
    const Facts facts = facts_of(*sample_source(), request_of(refund));
    EXPECT_EQ(facts.object, refund.object);
    EXPECT_EQ(facts.amount, 150);
}

TEST(RequestMaker, ADuplicateHasOtherBytesAndTheSameDigest) {
    const auto source = sample_source();
    const std::string fresh = body_of("payment_intent.succeeded");
    const std::string again = body_of("payment_intent.succeeded", Kind::duplicate);
    EXPECT_NE(fresh, again);
    EXPECT_EQ(digest_of(*source, fresh), digest_of(*source, again));
}

TEST(RequestMaker, GenuineOnesVerifyAndOthersDoNot) {
    const auto source = sample_source();
    const Signer signer = sample_signer(source, at(noon));
    const auto forgeries = forgeries_for(*source);
    const auto verifies = [&](Kind kind, std::size_t variation) {
        OutgoingRequest request = request_of(first_of("payment_intent.succeeded"));
        sign_as(kind, request, signer, at(noon), std::chrono::seconds{600}, forgeries[variation]).value();
        return is_authentic(*source, request);
    };
    EXPECT_TRUE(verifies(Kind::fresh, 0));
    EXPECT_TRUE(verifies(Kind::duplicate, 1));
    EXPECT_FALSE(verifies(Kind::stale, 0));
    for (std::size_t variation = 0; variation < forgeries.size(); ++variation)
        EXPECT_FALSE(verifies(Kind::forged, variation)) << variation;
}

TEST(RequestMaker, AForgeryThatIsChangedAfterSigningClaimsAnotherAmount) {
    const auto source = sample_source();
    OutgoingRequest request = request_of(first_of("payment_intent.succeeded"));
    const OutgoingRequest before = request;
    sign_as(Kind::forged, request, sample_signer(source, at(noon)), at(noon), std::chrono::seconds{600},
            Forgery::changed_body)
        .value();
    EXPECT_NE(facts_of(*source, request).amount, facts_of(*source, before).amount);
}

TEST(RequestMaker, AnOwnBodyIsSentAsItIsOrGetsAnIdPerEvent) {
    const SampleEvent event = first_of("payment_intent.succeeded");
    RequestMaker::Settings own = plain_settings();
    own.own_body = "{ \"id\":\"evt_own\" , \"n\":1}";
    own.own_body_as_it_is = true;
    EXPECT_EQ(RequestMaker{own}.make(event, Kind::fresh).body, *own.own_body);
    own.own_body_as_it_is = false;
    own.edits = {edit_from_text("/n=2")};
    const Json made = parse_json(RequestMaker{own}.make(event, Kind::fresh).body).value();
    EXPECT_EQ(made["id"], event.id);
    EXPECT_EQ(made["n"], 2);
}

TEST(RequestMaker, NamesTheEditsThatNoBodyHasAPlaceFor) {
    RequestMaker::Settings settings = plain_settings();
    for (const auto* edit :
         {"/data/objekt=1", "/data/object/receipt_email=a", "/data/object/amount_refunded=2"})
        settings.edits.push_back(edit_from_text(edit));
    const RequestMaker maker{settings};
    using Places = std::vector<std::string>;
    EXPECT_EQ(maker.added({"charge.refunded", "payment_intent.succeeded"}), Places{"/data/objekt"});
    EXPECT_EQ(maker.added({"payment_intent.succeeded"}),
              (Places{"/data/objekt", "/data/object/amount_refunded"}));
    settings.own_body = R"({"data":{"objekt":3}})";
    EXPECT_EQ(RequestMaker{settings}.added({"charge.refunded"}).size(), 2U);
}

TEST(RequestMaker, HeadersOfTheUserReplaceThoseOfTheSample) {
    RequestMaker::Settings settings = plain_settings();
    settings.headers = {{"X-Region", "eu"}};
    const OutgoingRequest request = RequestMaker{settings}.make(first_of("charge.refunded"), Kind::fresh);
    ASSERT_NE(find_header(request, "x-region"), nullptr);
    EXPECT_EQ(*find_header(request, "x-region"), "eu");
}

}  // namespace sluice::ctl
