#include "ingress/dedup/shared_limits.hpp"

#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "common/crypto/encoding.hpp"

namespace sluice::dedup {
namespace {

using namespace std::chrono_literals;

Counting two_limits() {
    Counting counting;
    counting.limits.push_back({crypto::sha256("account"), {.every = 20ms, .burst = 7}});
    counting.limits.push_back(
        {crypto::sha256("source"), {.every = std::chrono::nanoseconds{1'500}, .burst = 1}});
    return counting;
}

TEST(LimitCommands, HasAKeyAndTwoNumbersForEachLimit) {
    LimitCommands commands{"00000000deadbeef"};
    const std::string bytes{commands.count(two_limits())};
    EXPECT_TRUE(bytes.starts_with("*9\r\n$4\r\nEVAL\r\n"));
    EXPECT_TRUE(bytes.ends_with(
        "$1\r\n2\r\n$87\r\nlimit:00000000deadbeef:" +
        crypto::to_hex(crypto::as_text(crypto::sha256("account"))) +
        "\r\n$87\r\nlimit:00000000deadbeef:" + crypto::to_hex(crypto::as_text(crypto::sha256("source"))) +
        "\r\n$9\r\n20000.000\r\n$1\r\n7\r\n$5\r\n1.500\r\n$1\r\n1\r\n"));
}

TEST(LimitCommands, SayOnlyWhatTheirRequestAsksFor) {
    LimitCommands commands{"00000000deadbeef"};
    Counting one;
    one.limits.push_back(two_limits().limits.front());
    const auto said_alone = [](const auto& say) {
        LimitCommands alone{"00000000deadbeef"};
        return std::string{say(alone)};
    };
    const std::vector<std::function<std::string_view(LimitCommands&)>> all{
        [](LimitCommands& to) { return to.count(two_limits()); },
        [](LimitCommands& to) { return to.count(two_limits()); },
        [&](LimitCommands& to) { return to.count(one); },
        [&](LimitCommands& to) { return to.take_back(one); },
        [](LimitCommands& to) { return to.take_back(two_limits()); },
        [&](LimitCommands& to) { return to.count(one); }};
    for (std::size_t i = 0; i < all.size(); ++i)
        EXPECT_EQ(all[i](commands), said_alone(all[i])) << "number " << i;
}

struct Said {
    std::string name;
    Reply reply;
    bool fits;
    bool is_unknown;
    std::optional<std::size_t> over;
};

class CountedReply : public testing::TestWithParam<Said> {};

TEST_P(CountedReply, IsReadOrTheRequestIsTaken) {
    Counting counting = two_limits();
    EXPECT_EQ(read_counted(GetParam().reply, counting), GetParam().fits);
    EXPECT_EQ(counting.is_unknown, GetParam().is_unknown);
    EXPECT_EQ(counting.over, GetParam().over);
}

using Kind = Reply::Kind;

INSTANTIATE_TEST_SUITE_P(Table, CountedReply,
                         testing::Values(Said{"Taken", {Kind::text, "0"}, true, false, {}},
                                         Said{"FirstIsSpent", {Kind::text, "1"}, true, false, 0},
                                         Said{"SecondIsSpent", {Kind::text, "2"}, true, false, 1},
                                         Said{"NoSuchLimit", {Kind::text, "3"}, false, true, {}},
                                         Said{"Marker", {Kind::text, "D:00"}, false, true, {}},
                                         Said{"Nothing", {Kind::text, ""}, false, true, {}},
                                         Said{"Negative", {Kind::text, "-1"}, false, true, {}},
                                         Said{"Silence", {Kind::none, ""}, true, true, {}},
                                         Said{"NoRight", {Kind::error, "NOPERM"}, true, true, {}},
                                         Said{"Status", {Kind::status, "OK"}, false, true, {}},
                                         Said{"Nil", {Kind::nil, ""}, false, true, {}},
                                         Said{"Odd", {Kind::odd, ""}, false, true, {}}),
                         [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace sluice::dedup
