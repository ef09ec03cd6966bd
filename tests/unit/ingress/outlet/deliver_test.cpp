#include "ingress/outlet/deliver.hpp"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include "tests/unit/ingress/support/fakes.hpp"

namespace sluice::outlet {
namespace {

using namespace std::chrono_literals;
using publish::Published;
using Kepts = std::vector<Kept>;

dedup::Marker marker_of(const std::string& event) {
    return {crypto::sha256(event), crypto::sha256(event + " content")};
}

/// A Redis that is slow about one event.
class SlowRedis final : public dedup::Deduplicator {
public:
    SlowRedis(ingress::asio::io_context& io, crypto::Digest about) : io_{io}, about_{about} {}
    [[nodiscard]] ingress::Task<dedup::Claim> claim(const dedup::Marker& marker, dedup::Counting*) override {
        if (marker.key == about_) {
            ingress::Timer wait{io_, 20ms};
            co_await wait.async_wait(ingress::use_task);
        }
        co_return dedup::Claim::fresh;
    }
    void release(const dedup::Marker&) override {}
    void take_back(const dedup::Counting&) override {}
    void confirm(const dedup::Marker&) override {}
    void use_epoch(const std::string&) override {}

private:
    ingress::asio::io_context& io_;
    crypto::Digest about_;
};

class DeliverTest : public testing::Test {
protected:
    /// An event whose value is its name.
    void event(const std::string& name, bool asks_claim = true) {
        names_.push_back(name);
        const std::string& kept = names_.back();
        parcels.push_back({.key = "stripe/acct/pi_1",
                           .value = kept,
                           .headers = headers_,
                           .marker = marker_of(kept),
                           .asks_claim = asks_claim});
    }

    Kepts deliver() { return deliver_by(redis); }

    Kepts deliver_by(dedup::Deduplicator& deduplicator) {
        const Ways ways{io_, deduplicator, kafka};
        Kepts all;
        const ingress::Executor executor = io_.get_executor();
        ingress::asio::co_spawn(executor, one(ways, all), ingress::asio::detached);
        io_.run();
        io_.restart();
        return all;
    }

    [[nodiscard]] std::vector<std::string> published() const {
        std::vector<std::string> values;
        for (const auto& kept : kafka.kept()) values.push_back(kept.value);
        return values;
    }

    ingress::FakeKafka kafka;
    ingress::FakeRedis redis;
    std::vector<Parcel> parcels;
    const SteadyTime until = SteadyTime{} + 1h;
    ingress::asio::io_context io_{1};

private:
    ingress::Task<void> one(const Ways& ways, Kepts& all) { all = co_await deliver_to(ways); }
    ingress::Task<Kepts> deliver_to(const Ways& ways) { return outlet::deliver(ways, parcels, until); }

    std::deque<std::string> names_;
    std::vector<record::HeaderView> headers_{{"ce_id", "evt_1"}};
};

TEST_F(DeliverTest, PublishesWhatIsFreshAndConfirmsIt) {
    event("a");
    EXPECT_EQ(deliver(), Kepts{Kept::published});
    ASSERT_EQ(kafka.kept().size(), 1U);
    const auto record = kafka.kept().front();
    EXPECT_EQ(record.topic, publish::Topic::events);
    EXPECT_EQ(record.key, "stripe/acct/pi_1");
    EXPECT_EQ(record.value, "a");
    EXPECT_EQ(record.header("ce_id"), "evt_1");
    EXPECT_EQ(record.answer_by, until);
    EXPECT_EQ(redis.confirmed_keys(), std::vector{marker_of("a").key});
}

TEST_F(DeliverTest, WhatIsKnownIsNotPublished) {
    event("a");
    event("b");
    redis.answer_to(marker_of("a"), dedup::Claim::duplicate);
    EXPECT_EQ(deliver(), (Kepts{Kept::known, Kept::published}));
    EXPECT_EQ(published(), std::vector<std::string>{"b"});
    EXPECT_EQ(redis.confirmed_keys(), std::vector{marker_of("b").key});
}

TEST_F(DeliverTest, NothingButADuplicateSparesThePublication) {
    for (const auto claim : {dedup::Claim::conflict, dedup::Claim::busy, dedup::Claim::unavailable}) {
        parcels.clear();
        event("a");
        redis.answer_with(claim);
        EXPECT_EQ(deliver(), Kepts{Kept::published}) << dedup::name_of(claim);
    }
}

TEST_F(DeliverTest, WhatDoesNotAskIsPublishedAndConfirmedWhateverRedisKnows) {
    event("a", false);
    redis.answer_with(dedup::Claim::duplicate);
    EXPECT_EQ(deliver(), Kepts{Kept::published});
    EXPECT_EQ(redis.claims(), 0);
    EXPECT_EQ(redis.confirmed(), 1);
}

TEST_F(DeliverTest, QuarantineNeitherClaimsNorConfirms) {
    parcels.push_back({.to = Parcel::To::quarantine, .key = "digest", .value = "unreadable"});
    redis.answer_with(dedup::Claim::duplicate);
    EXPECT_EQ(deliver(), Kepts{Kept::published});
    EXPECT_EQ(kafka.kept().front().topic, publish::Topic::quarantine);
    EXPECT_EQ(redis.claims() + redis.confirmed(), 0);
}

TEST_F(DeliverTest, EachHasItsOwnEndAndWhatKafkaHasIsConfirmed) {
    const std::vector<std::pair<Published, Kept>> ends{{Published::not_acked, Kept::not_kept},
                                                       {Published::stored, Kept::published},
                                                       {Published::shed, Kept::unavailable},
                                                       {Published::unavailable, Kept::unavailable},
                                                       {Published::too_large, Kept::too_large}};
    Kepts expected;
    for (const auto& [outcome, kept] : ends) {
        event(std::to_string(expected.size()));
        kafka.answer_to(std::to_string(expected.size()), outcome);
        expected.push_back(kept);
    }
    EXPECT_EQ(deliver(), expected);
    EXPECT_EQ(redis.confirmed_keys(), std::vector{marker_of("1").key});
}

TEST_F(DeliverTest, OrderIsThatOfTheParcelsAlsoWhereAClaimIsSlow) {
    for (const auto* name : {"a", "b", "c"}) event(name);
    SlowRedis slow{io_, marker_of("a").key};
    EXPECT_EQ(deliver_by(slow), Kepts(3, Kept::published));
    EXPECT_EQ(published(), (std::vector<std::string>{"a", "b", "c"}));
}

TEST_F(DeliverTest, NothingIsDeliveredAtOnce) {
    EXPECT_EQ(deliver(), Kepts{});
}

}  // namespace
}  // namespace sluice::outlet
