#include "ingress/dedup/redis_deduplicator.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include "common/crypto/encoding.hpp"
#include "tests/unit/ingress/support/resp_server.hpp"

namespace sluice::dedup {
namespace {

using namespace std::chrono_literals;
using Command = RespServer::Command;
using Answer = std::optional<std::string>;

const Marker marker{crypto::sha256("key"), crypto::sha256("mark")};
const std::string nil = "$-1\r\n";
const std::string durable = "D:" + crypto::to_hex(marker.mark);

/// A deduplicator on an io_context that runs as long as a test waits for something.
class Claims {
public:
    explicit Claims(std::uint16_t port, std::chrono::milliseconds answer_within = 5s)
        : settings_{settings_for(port, answer_within)},
          deduplicator_{io_, settings_, clock_, log_, metrics_} {
        deduplicator_.use_epoch("00000000deadbeef");
        deduplicator_.start();
    }

    void until_connected() {
        const Gauge& connected =
            metrics_.gauge("sluice_ingress_redis_connected", "",
                           {{"server", "127.0.0.1:" + std::to_string(settings_.servers[0].port)}});
        run_until([&] { return connected.Value() == 1; });
    }

    Claim claim() { return claims(1).front(); }

    std::vector<Claim> claims(int count) {
        std::vector<Claim> all;
        const ingress::Executor executor = io_.get_executor();
        for (int i = 0; i < count; ++i) {
            ingress::asio::co_spawn(executor, one(all), ingress::asio::detached);
        }
        run_until([&] { return all.size() == static_cast<std::size_t>(count); });
        return all;
    }

    void run_until(const std::function<bool()>& done) {
        const SteadyTime end = clock_.steady() + 20s;
        while (!done() && clock_.steady() < end) io_.run_one_for(10ms);
        ASSERT_TRUE(done());
    }

    /// A claim that is counted under one limit.
    std::pair<Claim, Counting> counted() {
        std::optional<std::pair<Claim, Counting>> found;
        const ingress::Executor executor = io_.get_executor();
        ingress::asio::co_spawn(executor, one_counted(found), ingress::asio::detached);
        run_until([&] { return found.has_value(); });
        return *found;
    }

    RedisDeduplicator& deduplicator() { return deduplicator_; }

private:
    static config::RedisSettings settings_for(std::uint16_t port, std::chrono::milliseconds answer_within) {
        config::RedisSettings settings;
        settings.servers.push_back({.host = "127.0.0.1", .port = port});
        settings.answer_within = answer_within;
        return settings;
    }

    ingress::Task<void> one(std::vector<Claim>& all) {
        const Claim claimed = co_await deduplicator_.claim(marker);
        all.push_back(claimed);
    }

    ingress::Task<void> one_counted(std::optional<std::pair<Claim, Counting>>& found) {
        Counting counting;
        counting.limits.push_back({crypto::sha256("source"), {.every = 20ms, .burst = 7}});
        const Claim claimed = co_await deduplicator_.claim(marker, &counting);
        found.emplace(claimed, counting);
    }

    SystemClock clock_;
    Metrics metrics_;
    Log log_{{.program = "unit", .descriptor = ::open("/dev/null", O_WRONLY)}};
    config::RedisSettings settings_;
    ingress::asio::io_context io_{1};
    RedisDeduplicator deduplicator_;
};

TEST(RedisDeduplicator, ClaimsAndReadsInOneCommand) {
    RespServer redis{[](const Command&) -> Answer { return nil; }};
    Claims claims{redis.port()};
    claims.until_connected();
    EXPECT_EQ(claims.claim(), Claim::fresh);
    const Command set = redis.commands().at(0);
    ASSERT_EQ(set.size(), 7U);
    EXPECT_EQ(set[0], "SET");
    EXPECT_EQ(set[1], "wh:00000000deadbeef:" + crypto::to_hex(marker.key));
    EXPECT_TRUE(set[2].starts_with("P:"));
    EXPECT_EQ((Command{set.begin() + 3, set.end()}), (Command{"NX", "GET", "PX", "10000"}));
}

TEST(RedisDeduplicator, DurableMarkerOfThisContentIsADuplicate) {
    RespServer redis{[](const Command&) -> Answer { return bulk(durable); }};
    Claims claims{redis.port()};
    claims.until_connected();
    EXPECT_EQ(claims.claim(), Claim::duplicate);
}

TEST(RedisDeduplicator, LooksAgainForAClaimantToConfirm) {
    int gets = 0;
    RespServer redis{[&](const Command& command) -> Answer {
        if (command.front() == "SET") return bulk("P:0a");
        return ++gets < 3 ? bulk("P:0a") : bulk(durable);
    }};
    Claims claims{redis.port()};
    claims.until_connected();
    EXPECT_EQ(claims.claim(), Claim::duplicate);
    EXPECT_EQ(redis.commands().size(), 4U);
}

TEST(RedisDeduplicator, ConfirmsWithoutAnyCondition) {
    RespServer redis{[](const Command&) -> Answer { return "+OK\r\n"; }};
    Claims claims{redis.port()};
    claims.until_connected();
    claims.deduplicator().confirm(marker);
    claims.run_until([&] { return !redis.commands().empty(); });
    EXPECT_EQ(redis.commands().at(0), (Command{"SET", "wh:00000000deadbeef:" + crypto::to_hex(marker.key),
                                               durable, "PX", "259200000"}));
}

TEST(RedisDeduplicator, ConfirmationLeavesWithTheNextClaim) {
    RespServer redis{[](const Command& command) -> Answer { return command.size() == 5 ? "+OK\r\n" : nil; }};
    Claims claims{redis.port()};
    claims.until_connected();
    claims.deduplicator().confirm(marker);
    EXPECT_EQ(claims.claim(), Claim::fresh);
    ASSERT_EQ(redis.commands().size(), 2U);
    EXPECT_EQ(redis.commands().at(0).at(2), durable);
    EXPECT_EQ(redis.commands().at(1).at(3), "NX");
}

TEST(RedisDeduplicator, ManyClaimsShareTheConnection) {
    RespServer redis{[](const Command&) -> Answer { return nil; }};
    Claims claims{redis.port()};
    claims.until_connected();
    EXPECT_EQ(claims.claims(100), std::vector<Claim>(100, Claim::fresh));
    EXPECT_EQ(redis.connections(), 1);
}

/// Answers EVAL with `limit` and everything else with `rest`.
RespServer::Handler with_limit(Answer limit, Answer rest = nil) {
    return [limit, rest](const Command& command) { return command.front() == "EVAL" ? limit : rest; };
}

TEST(RedisDeduplicator, CountsInTheRoundTripOfTheClaim) {
    RespServer redis{with_limit(bulk("0"))};
    Claims claims{redis.port()};
    claims.until_connected();
    const auto [claim, counting] = claims.counted();
    EXPECT_EQ(claim, Claim::fresh);
    EXPECT_FALSE(counting.over || counting.is_unknown);
    EXPECT_EQ(redis.commands().size(), 2U);
}

TEST(RedisDeduplicator, SaysWhichLimitIsSpent) {
    RespServer redis{with_limit(bulk("1"), bulk(durable))};
    Claims claims{redis.port()};
    claims.until_connected();
    const auto [claim, counting] = claims.counted();
    EXPECT_EQ(claim, Claim::duplicate);
    EXPECT_EQ(counting.over, 0U);
}

TEST(RedisDeduplicator, RequestsThatCannotBeCountedAreTaken) {
    for (const Answer& reply : {Answer{"-NOPERM no right to eval\r\n"}, Answer{"-OOM\r\n"}, Answer{}}) {
        RespServer redis{with_limit(reply)};
        Claims claims{redis.port(), reply ? 5s : 50ms};
        claims.until_connected();
        const auto [claim, counting] = claims.counted();
        EXPECT_TRUE(counting.is_unknown && !counting.over);
        EXPECT_NE(claim, Claim::duplicate);
    }
}

TEST(RedisDeduplicator, ReplyOfAClaimToALimitEndsTheConnection) {
    RespServer redis{with_limit(bulk(durable))};
    Claims claims{redis.port()};
    claims.until_connected();
    EXPECT_TRUE(claims.counted().second.is_unknown);
    claims.run_until([&] { return redis.connections() == 2; });
}

TEST(RedisDeduplicator, ReleasedClaimExpiresAtOnce) {
    RespServer redis{[](const Command&) -> Answer { return "+OK\r\n"; }};
    Claims claims{redis.port()};
    claims.until_connected();
    claims.deduplicator().release(marker);
    claims.run_until([&] { return !redis.commands().empty(); });
    const Command set = redis.commands().at(0);
    EXPECT_EQ(set.at(1), "wh:00000000deadbeef:" + crypto::to_hex(marker.key));
    EXPECT_TRUE(set.at(2).starts_with("P:")) << "no durable marker may come of it";
    EXPECT_EQ((Command{set.begin() + 3, set.end()}), (Command{"PX", "1"}));
}

TEST(RedisDeduplicator, WithoutAnEpochNothingIsAsked) {
    RespServer redis{[](const Command&) -> Answer { return bulk(durable); }};
    Claims claims{redis.port()};
    claims.until_connected();
    claims.deduplicator().use_epoch("");
    EXPECT_EQ(claims.claim(), Claim::unavailable);
    EXPECT_TRUE(redis.commands().empty());
}

TEST(RedisDeduplicator, NobodyThereIsUnavailableAtOnce) {
    std::uint16_t port = 0;
    {
        port = RespServer{[](const Command&) -> Answer { return nil; }}.port();
    }
    Claims claims{port};
    EXPECT_EQ(claims.claim(), Claim::unavailable);
}

TEST(RedisDeduplicator, TimedOutConnectionIsNeverUsedAgain) {
    // Silent once; later it answers with what belongs to the command before.
    int sets = 0;
    RespServer redis{[&](const Command&) -> Answer {
        ++sets;
        if (sets == 1) return std::nullopt;
        return sets == 2 ? bulk(durable) + nil : nil;
    }};
    Claims claims{redis.port(), 50ms};
    claims.until_connected();
    EXPECT_EQ(claims.claim(), Claim::unavailable);
    claims.until_connected();
    EXPECT_EQ(redis.connections(), 2);
}

TEST(RedisDeduplicator, OneTimeoutFailsEverythingThatWaitsOnTheConnection) {
    RespServer redis{[](const Command&) -> Answer { return std::nullopt; }};
    Claims claims{redis.port(), 50ms};
    claims.until_connected();
    EXPECT_EQ(claims.claims(20), std::vector<Claim>(20, Claim::unavailable));
}

TEST(RedisDeduplicator, BreakerStopsAskingARedisThatIsSilent) {
    RespServer redis{[](const Command&) -> Answer { return std::nullopt; }};
    Claims claims{redis.port(), 20ms};
    for (int i = 0; i < Breaker::failures_to_open; ++i) {
        claims.until_connected();
        EXPECT_EQ(claims.claim(), Claim::unavailable);
    }
    claims.until_connected();
    const std::size_t asked = redis.commands().size();
    for (int i = 0; i < 10; ++i) EXPECT_EQ(claims.claim(), Claim::unavailable);
    EXPECT_EQ(redis.commands().size(), asked);
}

struct Odd {
    std::string name;
    std::string reply;
    bool drops;
};

class OddReply : public testing::TestWithParam<Odd> {};

TEST_P(OddReply, IsNeverADuplicate) {
    RespServer redis{[](const Command&) -> Answer { return GetParam().reply; }};
    Claims claims{redis.port()};
    claims.until_connected();
    EXPECT_EQ(claims.claim(), Claim::unavailable);
    if (!GetParam().drops) return;
    claims.run_until([&] { return redis.connections() == 2; });
}

INSTANTIATE_TEST_SUITE_P(
    RedisDeduplicator, OddReply,
    testing::Values(Odd{"Oom", "-OOM command not allowed\r\n", false},
                    Odd{"ReadOnly", "-READONLY\r\n", false}, Odd{"Loading", "-LOADING\r\n", false},
                    Odd{"Moved", "-MOVED 1 127.0.0.1:1\r\n", false}, Odd{"Ok", "+OK\r\n", true},
                    Odd{"Integer", ":1\r\n", true}, Odd{"EmptyText", "$0\r\n\r\n", true},
                    Odd{"Array", "*1\r\n$2\r\nD:\r\n", true}, Odd{"ShortMark", "$4\r\nD:00\r\n", true},
                    Odd{"Garbage", "\x01 not redis at all\r\n", true},
                    Odd{"Http", "HTTP/1.1 200 OK\r\n\r\n", true},
                    Odd{"EndlessLength", "$99999999999999999999\r\n", true}),
    [](const auto& each) { return each.param.name; });

TEST(RedisDeduplicator, SurplusReplyNeverAnswersTheNextClaim) {
    // Two replies for one command: the second says that the next event is durable.
    bool first = true;
    RespServer redis{[&](const Command&) -> Answer {
        const std::string reply = first ? nil + bulk(durable) : nil;
        first = false;
        return reply;
    }};
    Claims claims{redis.port()};
    claims.until_connected();
    EXPECT_EQ(claims.claim(), Claim::fresh);
    EXPECT_NE(claims.claim(), Claim::duplicate);
}

}  // namespace
}  // namespace sluice::dedup
