#include "consumer/store/poll/poll_walk.hpp"

#include <array>
#include <future>
#include <vector>

#include "consumer/store/driver/open_transaction.hpp"
#include "consumer/store/poll/walk_list.hpp"
#include "tests/unit/consumer/store/server/fixture.hpp"

namespace sluice::store {
namespace {

using namespace std::chrono_literals;

constexpr WalkKey key{.source = "stripe-list", .provider = "stripe", .principal = "acct_1"};
constexpr Milliseconds a_minute = 1min;

WallTime at_second(int second) {
    return std::chrono::sys_days{std::chrono::year{2026} / 11 / 28} + std::chrono::seconds{second} + 7us;
}

PollWalk walk_to(std::string id, int second) {
    return {.at = WalkPlace{std::move(id), at_second(second)},
            .complete_until = at_second(second - 300),
            .page_token = {},
            .types_digest = crypto::sha256("all"),
            .gap = {}};
}

class PollWalkTest : public ServerTest {
protected:
    void SetUp() override {
        ServerTest::SetUp();
        connection = open_migrated();
    }

    Result<LeaseAnswer> ask(std::string_view holder, const WalkKey& whose = key) {
        return take_lease(*connection, whose, walk_to("evt_first", 1000), holder, a_minute);
    }
    LeaseTaken take(std::string_view holder) { return std::get<LeaseTaken>(ask(holder).value()); }
    bool is_held(std::string_view holder) { return std::holds_alternative<LeaseHeld>(ask(holder).value()); }

    /// As if its process had been paused for longer than its lease.
    void let_run_out() { run(*connection, "UPDATE poll_walk SET leased_until = UTC_TIMESTAMP(6)"); }

    bool move(const Lease& lease, const PollWalk& to) {
        return move_walk(*connection, key.source, lease, to, a_minute).value();
    }
    std::string at_id() { return text(*connection, "SELECT at_id FROM poll_walk"); }
    std::int64_t seconds_left() {
        return number(*connection,
                      "SELECT TIMESTAMPDIFF(SECOND, UTC_TIMESTAMP(6), leased_until) FROM poll_walk");
    }

    std::unique_ptr<Connection> connection;
};

TEST_F(PollWalkTest, TheFirstHolderMakesTheRowAndTheNextFindsWhatItMoved) {
    auto [lease, walk] = take("ada");
    EXPECT_EQ(lease.fence, 1);
    EXPECT_EQ(walk.at->id, "evt_first");
    EXPECT_EQ(walk.at->created, at_second(1000));
    EXPECT_EQ(walk.complete_until, at_second(700));
    EXPECT_EQ(walk.types_digest, crypto::sha256("all"));
    EXPECT_EQ(walk.page_token, "");
    EXPECT_FALSE(walk.gap);

    auto to = walk_to("evt_2", 2000);
    to.page_token = "next";
    to.types_digest = crypto::sha256("some");
    EXPECT_TRUE(move(lease, to));
    EXPECT_TRUE(release_lease(*connection, key.source, lease).value());

    auto [next_lease, next_walk] = take("grace");
    EXPECT_EQ(next_lease.fence, 2);
    EXPECT_EQ(next_walk.at->id, "evt_2");
    EXPECT_EQ(next_walk.at->created, at_second(2000));
    EXPECT_EQ(next_walk.complete_until, at_second(1700));
    EXPECT_EQ(next_walk.page_token, "next");
    EXPECT_EQ(next_walk.types_digest, crypto::sha256("some"));
}

TEST_F(PollWalkTest, AWalkByTimeAloneHasNoPlace) {
    const auto lease = take("ada").lease;
    PollWalk by_time{
        .at = {}, .complete_until = at_second(50), .page_token = {}, .types_digest = {}, .gap = {}};
    EXPECT_TRUE(move(lease, by_time));
    const auto walk = take("ada").walk;
    EXPECT_FALSE(walk.at);
    EXPECT_EQ(walk.complete_until, at_second(50));
}

TEST_F(PollWalkTest, OneProcessHasTheLeaseAtATime) {
    const auto lease = take("ada").lease;
    EXPECT_TRUE(is_held("grace"));
    EXPECT_GE(seconds_left(), 50);
    const auto again = take("ada").lease;
    EXPECT_EQ(again.fence, lease.fence + 1) << "of its process: an answer was lost";
    EXPECT_FALSE(move(lease, walk_to("evt_2", 2000))) << "by the lease of before";
    EXPECT_TRUE(move(again, walk_to("evt_3", 3000)));
}

TEST_F(PollWalkTest, AHolderWhoseLeaseWasTakenChangesNothing) {
    const auto paused = take("ada").lease;
    let_run_out();
    const auto lease = take("grace").lease;
    EXPECT_TRUE(move(lease, walk_to("evt_new", 3000)));

    EXPECT_FALSE(move(paused, walk_to("evt_old", 2000)));
    EXPECT_FALSE(renew_lease(*connection, key.source, paused, 1h).value());
    EXPECT_FALSE(note_gap(*connection, key.source, paused, {at_second(1), at_second(2)}).value());
    EXPECT_FALSE(release_lease(*connection, key.source, paused).value());

    EXPECT_EQ(at_id(), "evt_new");
    EXPECT_LE(seconds_left(), 60);
    EXPECT_TRUE(is_held("ada"));
    EXPECT_FALSE(take("grace").walk.gap);
}

TEST_F(PollWalkTest, ALeaseThatRanOutIsGoodUntilSomebodyTakesIt) {
    const auto lease = take("ada").lease;
    let_run_out();
    EXPECT_TRUE(move(lease, walk_to("evt_2", 2000)));
    EXPECT_TRUE(is_held("grace")) << "the move renewed it";
    let_run_out();
    EXPECT_TRUE(renew_lease(*connection, key.source, lease, a_minute).value());
    EXPECT_TRUE(is_held("grace"));
}

// A fail-over that loses the last lease gives its number to the next holder too.
TEST_F(PollWalkTest, NeitherFenceNorHolderIsEnough) {
    const auto [fence, holder] = take("ada").lease;
    EXPECT_FALSE(move({fence, "grace"}, walk_to("evt_2", 2000)));
    EXPECT_FALSE(move({fence + 1, holder}, walk_to("evt_2", 2000)));
    EXPECT_FALSE(renew_lease(*connection, key.source, {fence, "grace"}, a_minute).value());
    EXPECT_FALSE(release_lease(*connection, key.source, {fence, "grace"}).value());
    EXPECT_EQ(at_id(), "evt_first");
}

TEST_F(PollWalkTest, WhoGaveItBackHasItNoMore) {
    const auto lease = take("ada").lease;
    EXPECT_TRUE(release_lease(*connection, key.source, lease).value());
    EXPECT_FALSE(move(lease, walk_to("evt_2", 2000)));
    EXPECT_FALSE(renew_lease(*connection, key.source, lease, a_minute).value());
}

TEST_F(PollWalkTest, AnotherAccountUnderTheNameIsRefused) {
    const auto lease = take("ada").lease;
    EXPECT_TRUE(release_lease(*connection, key.source, lease).value());
    for (const WalkKey other :
         {WalkKey{key.source, key.provider, "acct_2"}, WalkKey{key.source, "paddle", key.principal},
          WalkKey{key.source, key.provider, "ACCT_1"}}) {
        const auto answer = ask("grace", other).value();
        ASSERT_TRUE(std::holds_alternative<OtherAccount>(answer)) << other.principal;
        EXPECT_EQ(std::get<OtherAccount>(answer).provider, "stripe");
        EXPECT_EQ(std::get<OtherAccount>(answer).principal, "acct_1");
    }
    EXPECT_EQ(take("grace").lease.fence, 2) << "it took nothing";
}

TEST_F(PollWalkTest, SourcesHaveLeasesOfTheirOwn) {
    const auto lease = take("ada").lease;
    const auto other = ask("grace", {"other-list", "stripe", "acct_2"}).value();
    EXPECT_TRUE(std::holds_alternative<LeaseTaken>(other));
    EXPECT_TRUE(move(lease, walk_to("evt_2", 2000)));
    EXPECT_EQ(number(*connection, "SELECT COUNT(*) FROM poll_walk WHERE at_id = 'evt_2'"), 1);
}

TEST_F(PollWalkTest, AGapGrowsAndStaysUntilAnOperatorClearsIt) {
    const auto lease = take("ada").lease;
    const auto gap_after = [&](WalkGap gap) {
        EXPECT_TRUE(note_gap(*connection, key.source, lease, gap).value());
        return *std::get<LeaseTaken>(ask("ada").value()).walk.gap;
    };
    // Each look takes the lease again, so the fence is put back.
    const auto noted = [&](int from, int until) {
        const auto gap = gap_after({at_second(from), at_second(until)});
        run(*connection, "UPDATE poll_walk SET fence = 1");
        return std::array{gap.from, gap.until};
    };
    EXPECT_EQ(noted(50, 60), (std::array{at_second(50), at_second(60)}));
    EXPECT_EQ(noted(52, 58), (std::array{at_second(50), at_second(60)})) << "inside";
    EXPECT_EQ(noted(70, 80), (std::array{at_second(50), at_second(80)}));
    EXPECT_EQ(noted(40, 45), (std::array{at_second(40), at_second(80)}));
    EXPECT_TRUE(move(lease, walk_to("evt_2", 2000)));
    EXPECT_TRUE(take("ada").walk.gap) << "a move leaves it";
    run(*connection, "UPDATE poll_walk SET gap_from = NULL, gap_until = NULL, fence = 1");
    EXPECT_TRUE(move(lease, walk_to("evt_3", 3000)));
    EXPECT_FALSE(take("ada").walk.gap) << "a move does not bring it back";
}

TEST_F(PollWalkTest, AGapIsThereExactlyIfTheMoveBehindItIs) {
    const auto lease = take("ada").lease;
    for (const bool is_kept : {false, true}) {
        auto open = OpenTransaction::begin(*connection).value();
        EXPECT_TRUE(note_gap(*connection, key.source, lease, {at_second(50), at_second(60)}).value());
        EXPECT_TRUE(move(lease, walk_to("evt_behind", 2000)));
        EXPECT_TRUE(!is_kept || open.commit());
        open.roll_back();
        EXPECT_EQ(number(*connection, "SELECT COUNT(gap_from) FROM poll_walk"), is_kept ? 1 : 0);
        EXPECT_EQ(at_id(), is_kept ? "evt_behind" : "evt_first");
    }
}

// What the poller has on its way would be written over it otherwise.
TEST_F(PollWalkTest, AnOperatorsChangeTakesTheLease) {
    const auto lease = take("ada").lease;
    EXPECT_TRUE(forget_place(*connection, key.source, "evt_first", {"grace", "deleted"}).value());
    EXPECT_FALSE(move(lease, walk_to("evt_2", 2000)));
    const auto walk = take("ada").walk;
    EXPECT_FALSE(walk.at);
    EXPECT_EQ(walk.complete_until, at_second(700)) << "nothing is passed over";

    const auto listed = listed_walks(*connection).value().at(0);
    EXPECT_TRUE(listed.is_leased);
    EXPECT_EQ(listed.operator_name, "grace");
    EXPECT_EQ(listed.reason, "deleted");
}

TEST_F(PollWalkTest, AnOperatorChangesOnlyWhatWasSeen) {
    const auto lease = take("ada").lease;
    const WalkGap seen{at_second(50), at_second(60)};
    EXPECT_FALSE(clear_gap(*connection, key.source, seen, {}).value()) << "there is none";
    EXPECT_FALSE(forget_place(*connection, key.source, "evt_other", {}).value());
    EXPECT_TRUE(note_gap(*connection, key.source, lease, seen).value());
    EXPECT_EQ(listed_walks(*connection).value().at(0).gap->until, seen.until);
    EXPECT_TRUE(note_gap(*connection, key.source, lease, {at_second(40), at_second(45)}).value());
    EXPECT_FALSE(clear_gap(*connection, key.source, seen, {}).value()) << "it has grown";
    EXPECT_TRUE(clear_gap(*connection, key.source, {at_second(40), at_second(60)}, {}).value());
    EXPECT_FALSE(take("ada").walk.gap);
}

TEST_F(PollWalkTest, SelectInsertAndUpdateAreRightsEnough) {
    const std::string account = "'" + database + "'@'%'";
    run(*connection, "CREATE USER " + account + " IDENTIFIED BY 'plain'");
    run(*connection, "GRANT SELECT, INSERT, UPDATE ON " + database + ".poll_walk TO " + account);
    auto as_poller = settings();
    as_poller.user = config::Credential{database};
    as_poller.password = config::Credential{"plain"};
    connection = std::move(*Connection::open(as_poller));
    const auto lease = take("ada").lease;
    EXPECT_TRUE(renew_lease(*connection, key.source, lease, a_minute).value());
    EXPECT_TRUE(note_gap(*connection, key.source, lease, {at_second(1), at_second(2)}).value());
    EXPECT_TRUE(move(lease, walk_to("evt_2", 2000)));
    EXPECT_TRUE(release_lease(*connection, key.source, lease).value());
    connection = open();
    run(*connection, "DROP USER " + account);
}

TEST_F(PollWalkTest, OfManyThatAskAtOnceOneGetsIt) {
    for (const bool has_row : {false, true}) {
        if (has_row) let_run_out();
        std::vector<std::future<bool>> asked;
        for (int number = 0; number < 8; ++number) {
            asked.push_back(std::async(std::launch::async, [&, number] {
                const auto session = open();
                const auto answer =
                    take_lease(*session, key, walk_to("evt_first", 1000),
                               "process " + std::to_string(number + (has_row ? 8 : 0)), a_minute);
                EXPECT_TRUE(answer) << session->last_error().message;
                return answer && std::holds_alternative<LeaseTaken>(*answer);
            }));
        }
        int taken = 0;
        for (auto& answer : asked) taken += answer.get() ? 1 : 0;
        EXPECT_EQ(taken, 1) << (has_row ? "of a row" : "without a row");
    }
}

}  // namespace
}  // namespace sluice::store
