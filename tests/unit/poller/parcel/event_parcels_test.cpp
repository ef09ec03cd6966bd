#include "poller/parcel/event_parcels.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/common/config/reading.hpp"

namespace sluice::poller {
namespace {

const std::string event = R"({"id": "evt_1", "object": "event", "type": "invoice.paid", "created": 1795757113,
  "livemode": false, "api_version": "2025-09-30.clover", "data": {"object": {"id": "in_1", "object": "invoice"}}})";

class Parcels : public testing::Test {
protected:
    Parcels()
        : reading_{"sources: [{name: list, recipe: stripe, principal: acct, poll: {key: {env: HOME}}}]"},
          sources_{webhook::read_sources_without_keys(reading_.document(), reading_.problems())},
          parcels_{*sources_.at(0), HeaderForm::cloudevents} {}

    std::string header(std::size_t number, std::string_view name) {
        const auto& headers = parcels_.all()[number].headers;
        const auto found = std::ranges::find(headers, name, &record::HeaderView::name);
        return found == headers.end() ? "(none)" : std::string{found->value};
    }

    config::Reading reading_;
    webhook::SourceSet sources_;
    EventParcels parcels_;
};

TEST_F(Parcels, HaveTheBytesAndWhatTheIngressWouldSay) {
    parcels_.add(event, WallTime{});
    ASSERT_EQ(parcels_.all().size(), 1U);
    const outlet::Parcel& parcel = parcels_.all()[0];
    EXPECT_EQ(parcel.to, outlet::Parcel::To::events);
    EXPECT_EQ(parcel.value.data(), event.data());
    EXPECT_EQ(parcel.key, "stripe/acct/in_1");
    EXPECT_TRUE(parcel.marker && parcel.asks_claim);
    EXPECT_EQ(header(0, "ce_id"), "evt_1");
    EXPECT_EQ(header(0, "sluice-source"), "list");
    EXPECT_EQ(header(0, "sluice-trust"), "api");
    EXPECT_EQ(header(0, "content-type"), "application/json");
    EXPECT_TRUE(parcels_.why_unread(0).empty());
}

TEST_F(Parcels, OfEventsThatCannotBeReadAreForTheQuarantine) {
    parcels_.add(R"({"id": "evt_2"})", WallTime{});
    parcels_.add(event, WallTime{});
    ASSERT_EQ(parcels_.all().size(), 2U);
    EXPECT_EQ(parcels_.all()[0].to, outlet::Parcel::To::quarantine);
    EXPECT_FALSE(parcels_.all()[0].marker);
    EXPECT_FALSE(parcels_.why_unread(0).empty());
    EXPECT_NE(header(0, "sluice-quarantine-detail"), "(none)");
    EXPECT_EQ(parcels_.all()[1].to, outlet::Parcel::To::events);
}

TEST_F(Parcels, ThatWereMissingSaySoAndAskNoClaim) {
    EventParcels missing{*sources_.at(0), HeaderForm::cloudevents, "0123456789abcdef0123456789abcdef"};
    missing.add(event, WallTime{});
    parcels_.add(event, WallTime{});
    const outlet::Parcel& parcel = missing.all()[0];
    EXPECT_FALSE(parcel.asks_claim);
    EXPECT_TRUE(parcel.marker.has_value());
    EXPECT_EQ(parcel.headers.size(), parcels_.all()[0].headers.size() + 1);
    EXPECT_EQ(parcel.headers.back().name, "sluice-reconciled");
    EXPECT_EQ(parcel.headers.back().value, "0123456789abcdef0123456789abcdef");
    EXPECT_EQ(header(0, "sluice-reconciled"), "(none)");
}

TEST_F(Parcels, StayWhereTheyAreWhileMoreAreAdded) {
    std::vector<std::string> bodies;
    for (int i = 0; i < 500; ++i) {
        std::string body = event;
        body.replace(body.find("evt_1"), 5, "evt_" + std::to_string(i));
        bodies.push_back(body);
    }
    for (const auto& body : bodies) parcels_.add(body, WallTime{});
    for (std::size_t i = 0; i < bodies.size(); ++i) EXPECT_EQ(header(i, "ce_id"), "evt_" + std::to_string(i));
}

}  // namespace
}  // namespace sluice::poller
