// The contract of command/record/call_record.hpp, on each place where records may stand.
#include <gtest/gtest.h>

#include <algorithm>
#include <concepts>
#include <thread>
#include <vector>

#include "command/key/key_of.hpp"
#include "command/record/begin.hpp"
#include "command/record/rules.hpp"
#include "common/crypto/encoding.hpp"
#include "common/crypto/random.hpp"
#include "tests/unit/command/record/record_places.hpp"

namespace sluice::command {
namespace {

using namespace std::chrono_literals;
using As = Begun::As;
using Kind = Answer::Kind;

struct OnMysql {};
struct OnRedis {};

template <class Where>
class CallRecordTest : public store::ServerTest {
protected:
    void SetUp() override {
        ServerTest::SetUp();
        if constexpr (std::same_as<Where, OnRedis>)
            place = std::make_unique<RedisPlace>();
        else
            place = std::make_unique<MysqlPlace>(settings(), open_migrated());
        record = place->record("refund");
    }

    static Request refund(const std::string& key = "r1", const std::string& what = "5 cents") {
        return {.key = {.command = "refund", .caller = "shop", .key = key},
                .fingerprint = crypto::sha256(what),
                .body = "{}"};
    }
    /// A request that wants to begin, under an owner of its own.
    static NewCall fresh(const Request& asked) {
        return {.request = asked,
                .claim = {.key = digest_of(asked.key), .owner = crypto::random_hex(16)},
                .lease = 1h};
    }
    Begun begun(const Request& asked) { return begin(*record, fresh(asked)).value(); }
    KnownCall known(const Request& asked) { return record->find(digest_of(asked.key)).value().value(); }
    bool finish(const Claim& claim, const CallEnd& end = paid) {
        return record->finish(claim, end, 1h).value();
    }

    static inline const CallEnd paid{
        .response = {.status = 201, .content_type = "text/plain", .body = std::string("paid\0!", 6)}};
    static inline const CallEnd refused{.state = CallEnd::State::failed, .why = "busy"};
    static inline const CallEnd lost{.state = CallEnd::State::given_up, .why = "look there"};

    const Request request = refund();
    std::unique_ptr<RecordPlace> place;
    std::unique_ptr<CallRecord> record;
};

using Places = testing::Types<OnMysql, OnRedis>;
TYPED_TEST_SUITE(CallRecordTest, Places);

TYPED_TEST(CallRecordTest, WhoeverIsFirstCallsAndTheFirstResponseStays) {
    const Begun first = this->begun(this->request);
    EXPECT_EQ(first.as, As::call);
    EXPECT_EQ(first.claim.fence, 1);
    const Begun second = this->begun(this->request);
    EXPECT_EQ(second.as, As::told);
    EXPECT_EQ(second.answer.kind, Kind::in_progress);
    EXPECT_TRUE(this->finish(first.claim));
    EXPECT_FALSE(this->finish(first.claim, this->lost)) << "it has ended";
    const Begun third = this->begun(this->request);
    EXPECT_EQ(third.answer.kind, Kind::replayed);
    EXPECT_EQ(third.answer.response, this->paid.response);
    EXPECT_EQ(this->known(this->request).claim, first.claim) << "by which its owner knows it";
}

TYPED_TEST(CallRecordTest, TheFingerprintIsKeptInEachState) {
    const Request other = this->refund("r1", "6 cents");
    const Begun first = this->begun(this->request);
    EXPECT_EQ(this->begun(other).answer.kind, Kind::mismatch);
    this->place->end_leases();
    EXPECT_EQ(this->begun(other).answer.kind, Kind::mismatch);
    ASSERT_TRUE(this->finish(first.claim, this->refused));
    EXPECT_EQ(this->begun(other).answer.kind, Kind::mismatch);
    const Begun again = this->begun(this->request);
    ASSERT_TRUE(this->finish(again.claim));
    EXPECT_EQ(this->begun(other).answer.kind, Kind::mismatch);
    EXPECT_EQ(this->begun(other).answer.response.body, "");
}

TYPED_TEST(CallRecordTest, AnExpiredLeaseIsTakenOverToAskAndNotToCall) {
    const Begun first = this->begun(this->request);
    EXPECT_FALSE(this->record->take_over(first.claim, "early", 1h).value()) << "its lease is not over";
    this->place->end_leases();
    EXPECT_EQ(this->record->due(10).value(), std::vector{first.claim});
    EXPECT_TRUE(this->place->record("other")->due(10).value().empty());
    const Begun next = this->begun(this->request);
    EXPECT_EQ(next.as, As::settle);
    EXPECT_EQ(next.claim.fence, 2);
    EXPECT_TRUE(this->record->due(10).value().empty()) << "the lease is a new one";
}

TYPED_TEST(CallRecordTest, ALateOwnerChangesNothing) {
    const Begun late = this->begun(this->request);
    this->place->end_leases();
    const Begun next = this->begun(this->request);
    EXPECT_FALSE(this->finish(late.claim, this->lost));
    EXPECT_FALSE(this->record->advance(late.claim, 1h).value());
    EXPECT_FALSE(this->record->take_over(late.claim, "late", 1h).value());
    EXPECT_TRUE(this->finish(next.claim));
    EXPECT_FALSE(this->finish(late.claim, this->lost));
    EXPECT_EQ(this->known(this->request).end, this->paid);
}

TYPED_TEST(CallRecordTest, AFenceAloneIsNoRight) {
    const Begun first = this->begun(this->request);
    Claim other = first.claim;
    other.owner = crypto::random_hex(16);
    EXPECT_FALSE(this->finish(other));
    EXPECT_FALSE(this->record->advance(other, 1h).value());
    EXPECT_FALSE(this->known(this->request).end);
}

TYPED_TEST(CallRecordTest, AnOwnerMayGoOnUnderTheNextFence) {
    const Begun first = this->begun(this->request);
    ASSERT_TRUE(this->record->advance(first.claim, 1h).value());
    EXPECT_FALSE(this->finish(first.claim)) << "its call may still be on its way";
    Claim next = first.claim;
    ++next.fence;
    EXPECT_TRUE(this->finish(next));
}

TYPED_TEST(CallRecordTest, WhatCertainlyWasNotDoneGivesWay) {
    const Begun first = this->begun(this->request);
    ASSERT_TRUE(this->finish(first.claim, this->refused));
    EXPECT_EQ(this->known(this->request).end, this->refused);
    const Begun again = this->begun(this->request);
    EXPECT_EQ(again.as, As::call);
    EXPECT_EQ(again.claim.fence, 2);
    EXPECT_FALSE(this->known(this->request).end);
    EXPECT_FALSE(this->finish(first.claim));
}

TYPED_TEST(CallRecordTest, WhatNobodyKnowsDoesNot) {
    const Begun first = this->begun(this->request);
    ASSERT_TRUE(this->finish(first.claim, this->lost));
    const Begun again = this->begun(this->request);
    EXPECT_EQ(again.as, As::told);
    EXPECT_EQ(again.answer.kind, Kind::not_known);
    EXPECT_EQ(again.answer.why, "look there");
}

TYPED_TEST(CallRecordTest, InProgressNeverExpires) {
    (void)this->begun(this->request);
    this->place->end_leases();
    this->place->expire();
    EXPECT_EQ(standing_of(this->record->find(digest_of(this->request.key)).value()).state,
              Standing::State::in_progress);
    EXPECT_EQ(this->begun(this->request).as, As::settle);
}

TYPED_TEST(CallRecordTest, AKeyThatExpiredIsANewOneAndItsOldOwnerHasNoRight) {
    const Begun first = this->begun(this->request);
    ASSERT_TRUE(this->finish(first.claim));
    this->place->expire();
    EXPECT_EQ(standing_of(this->record->find(digest_of(this->request.key)).value()).state,
              Standing::State::absent);
    const Begun other = this->begun(this->refund("r1", "6 cents"));
    EXPECT_EQ(other.as, As::call);
    EXPECT_FALSE(this->finish(first.claim, this->lost));
    EXPECT_FALSE(this->known(this->request).end);
}

TYPED_TEST(CallRecordTest, KeysOfOthersAreOthers) {
    const Begun one = this->begun(this->refund("r1"));
    const Begun two = this->begun(this->refund("r2"));
    EXPECT_EQ(two.as, As::call);
    ASSERT_TRUE(this->finish(one.claim));
    EXPECT_FALSE(this->known(this->refund("r2")).end);
    EXPECT_FALSE(this->record->find(crypto::sha256("nobody's")).value());
}

TYPED_TEST(CallRecordTest, TheOldestAreSettledFirstAndNotAllAtOnce) {
    const Claim one = this->begun(this->refund("r1")).claim;
    const Claim two = this->begun(this->refund("r2")).claim;
    (void)this->begun(this->refund("r3"));
    this->place->end_leases();
    EXPECT_EQ(this->record->due(2).value().size(), 2U);
    ASSERT_TRUE(this->record->take_over(one, "o", 1h).value());
    const auto due = this->record->due(10).value();
    EXPECT_EQ(due.size(), 2U);
    EXPECT_TRUE(std::ranges::contains(due, two));
}

TYPED_TEST(CallRecordTest, OfManyAtOnceOneCalls) {
    std::vector<As> seen(8);
    {
        std::vector<std::jthread> threads;
        for (As& as : seen)
            threads.emplace_back([&as, this] {
                const auto own = this->place->record("refund");
                as = begin(*own, this->fresh(this->request)).value().as;
            });
    }
    EXPECT_EQ(std::ranges::count(seen, As::call), 1);
    EXPECT_EQ(std::ranges::count(seen, As::told), 7);
}

TYPED_TEST(CallRecordTest, APersonEndsWhatIsInProgressUnlessSomebodyWasFaster) {
    const Begun first = this->begun(this->request);
    const KnownCall seen = this->known(this->request);
    Claim next = first.claim;
    ASSERT_TRUE(this->record->advance(next, 1h).value());
    EXPECT_FALSE(this->record->settle(seen, this->paid, 1h).value()) << "another fence";
    ++next.fence;
    EXPECT_TRUE(this->record->settle(this->known(this->request), this->paid, 1h).value());
    EXPECT_FALSE(this->finish(next, this->refused)) << "its owner comes too late";
    EXPECT_EQ(this->begun(this->request).answer.response, this->paid.response);
    EXPECT_FALSE(this->record->settle(this->known(this->request), this->refused, 1h).value())
        << "it has ended";
    EXPECT_EQ(this->record->oldest_age(10).value(), 0us);
}

TYPED_TEST(CallRecordTest, APersonEndsWhatNobodyKnewEitherWay) {
    const CallEnd not_done{.state = CallEnd::State::failed, .why = "ada: seen at the service"};
    const Claim lost = this->begun(this->request).claim;
    ASSERT_TRUE(this->finish(lost, this->lost));
    ASSERT_TRUE(this->record->settle(this->known(this->request), not_done, 1h).value());
    EXPECT_EQ(this->known(this->request).end, not_done);
    const Begun again = this->begun(this->request);
    EXPECT_EQ(again.as, As::call) << "nothing was done, so the same key may be called again";
    EXPECT_EQ(again.claim.fence, lost.fence + 2) << "above all that the service has seen";
    ASSERT_TRUE(this->finish(again.claim, this->lost));
    CallEnd done = this->paid;
    done.why = "ada: seen at the service";
    ASSERT_TRUE(this->record->settle(this->known(this->request), done, 1h).value());
    EXPECT_EQ(this->known(this->request).end, done);
    EXPECT_EQ(this->begun(this->request).answer.response, this->paid.response);
}

TYPED_TEST(CallRecordTest, TheOldestInProgressIsAsOldAsItsBeginAndNotItsLease) {
    const auto oldest = [this] { return this->record->oldest_age(10).value(); };
    EXPECT_EQ(oldest(), 0us);
    const Claim first = this->begun(this->refund("r1")).claim;
    ASSERT_TRUE(this->finish(this->begun(this->refund("r2")).claim));
    this->place->age();
    (void)this->begun(this->refund("r3"));
    EXPECT_GE(oldest(), 1h);
    EXPECT_EQ(this->place->record("other")->oldest_age(10).value(), 0us);
    this->place->end_leases();
    EXPECT_TRUE(this->record->take_over(first, "o", 1h).value());
    EXPECT_GE(oldest(), 1h) << "somebody asked what became of it, and was not told";
    ASSERT_TRUE(this->finish({.key = first.key, .owner = "o", .fence = first.fence + 1}));
    EXPECT_LT(oldest(), 1h) << "the third";
}

TYPED_TEST(CallRecordTest, WhatWasGivenUpIsCountedUntilAPersonEndsItOrItsKeyExpires) {
    const auto given_up = [this](std::size_t most = 10) { return this->record->given_up(most).value(); };
    const Request other = this->refund("r2");
    for (const Request& one : {this->request, other, this->refund("r3")})
        ASSERT_TRUE(this->finish(this->begun(one).claim, this->lost));
    ASSERT_TRUE(this->finish(this->begun(this->refund("r4")).claim, this->refused));
    (void)this->begun(this->refund("r5"));
    EXPECT_EQ(given_up(), 3);
    EXPECT_EQ(given_up(2), 2) << "and no more are looked at";
    EXPECT_EQ(this->place->record("other")->given_up(10).value(), 0);
    ASSERT_TRUE(this->record->settle(this->known(this->request), this->paid, 1h).value());
    EXPECT_EQ(given_up(), 2);
    ASSERT_TRUE(this->record->settle(this->known(other), this->refused, 1h).value());
    EXPECT_EQ(given_up(), 1);
    (void)this->begun(other);
    EXPECT_EQ(given_up(), 1) << "called again, since nothing was done";
    this->place->expire();
    EXPECT_EQ(given_up(), 0);
}

TYPED_TEST(CallRecordTest, OfManyAtOnceOneTakesOver) {
    (void)this->begun(this->request);
    this->place->end_leases();
    std::vector<As> seen(8);
    {
        std::vector<std::jthread> threads;
        for (As& as : seen)
            threads.emplace_back([&as, this] {
                const auto own = this->place->record("refund");
                as = begin(*own, this->fresh(this->request)).value().as;
            });
    }
    EXPECT_EQ(std::ranges::count(seen, As::settle), 1);
    EXPECT_EQ(std::ranges::count(seen, As::told), 7);
}

// What Redis alone has to see to.
class RedisCallTest : public CallRecordTest<OnRedis> {};

TEST_F(RedisCallTest, WhatIsInProgressHasNoTimeToLiveAndWhatEndedHas) {
    auto& redis = dynamic_cast<RedisPlace&>(*place);
    const std::string hash = "call:{refund}:" + crypto::to_hex(digest_of(request.key));
    const Begun first = begun(request);
    EXPECT_EQ(redis.ask({"PTTL", hash})->integer, -1);
    ASSERT_TRUE(finish(first.claim, refused));
    EXPECT_GT(redis.ask({"PTTL", hash})->integer, 3'500'000);
    EXPECT_EQ(redis.ask({"ZCARD", "call:{refund}:due"})->integer, 0);
    (void)begun(request);
    EXPECT_EQ(redis.ask({"PTTL", hash})->integer, -1) << "in progress again";
}

TEST_F(RedisCallTest, WhatWasEvictedLeavesTheSet) {
    auto& redis = dynamic_cast<RedisPlace&>(*place);
    (void)begun(request);
    place->end_leases();
    (void)redis.ask({"DEL", "call:{refund}:" + crypto::to_hex(digest_of(request.key))});
    EXPECT_TRUE(record->due(10).value().empty());
    EXPECT_EQ(redis.ask({"ZCARD", "call:{refund}:due"})->integer, 0);
}

TEST_F(RedisCallTest, WhatExpiredHidesNothingThatWasGivenUp) {
    auto& redis = dynamic_cast<RedisPlace&>(*place);
    ASSERT_TRUE(finish(begun(request).claim, lost));
    for (const std::string key : {"a", "b", "c"})
        (void)redis.ask({"ZADD", "call:{refund}:given_up", "1", key});
    EXPECT_EQ(record->given_up(2).value(), 1);
    EXPECT_EQ(redis.ask({"ZCARD", "call:{refund}:given_up"})->integer, 2)
        << "a bounded part of them has left";
    EXPECT_EQ(record->given_up(2).value(), 1);
    EXPECT_EQ(redis.ask({"ZCARD", "call:{refund}:given_up"})->integer, 1);
    (void)redis.ask({"DEL", "call:{refund}:" + crypto::to_hex(digest_of(request.key))});
    EXPECT_EQ(record->given_up(2).value(), 0) << "there is nothing that a person could end";
    EXPECT_EQ(redis.ask({"ZCARD", "call:{refund}:given_up"})->integer, 0);
}

}  // namespace
}  // namespace sluice::command
