#include "consumer/lane/run/wakeup_record.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace sluice::consumer {
namespace {

using namespace std::chrono_literals;

class WakeupRecord : public testing::Test {
protected:
    static constexpr WallTime now = std::chrono::sys_days{std::chrono::year{2026} / 11 / 22} + 10h + 123456us;

    Outgoing write(Milliseconds due_in) {
        wakeup.due = now + due_in;
        return wakeup_record(wakeup, topics, now);
    }
    static std::vector<record::HeaderView> headers_of(const Outgoing& record) {
        std::vector<record::HeaderView> views;
        for (const auto& [name, value] : record.headers) views.push_back({name, value});
        return views;
    }
    static std::string value(const Outgoing& record, std::string_view name) {
        const auto at =
            std::ranges::find(record.headers, name, [](const auto& header) { return header.first; });
        return at == record.headers.end() ? "(none)" : at->second;
    }
    static WakeupRefusal refusal(std::vector<record::HeaderView> headers) {
        return read_wakeup_record(headers).error();
    }

    RetryTopics topics{"t.5s", "t.30s", "t.2m", "t.10m", "t.1h"};
    LaneWakeup wakeup{.object_key = "stripe/acct/pi_1", .gen = 1'763'800'000'000'001};
};

TEST_F(WakeupRecord, GoesToTheTierOfItsDueTimeWithTheKeyAndNoValue) {
    EXPECT_EQ(write(0ms).topic, "t.5s");
    EXPECT_EQ(write(-1h).topic, "t.5s");
    EXPECT_EQ(write(30s).topic, "t.30s");
    EXPECT_EQ(write(29s).topic, "t.30s") << "what is left of the tier's delay by now";
    EXPECT_EQ(write(24h).topic, "t.1h");
    EXPECT_EQ(write(30s).key, "stripe/acct/pi_1");
    EXPECT_EQ(write(30s).value, std::nullopt);
}

TEST_F(WakeupRecord, IsDueWhenTheTiersDelayIsOver) {
    EXPECT_EQ(value(write(24h), "sluice-due-at"), "2026-11-22T11:00:00.123456Z");
    EXPECT_EQ(value(write(0ms), "sluice-due-at"), "2026-11-22T10:00:05.123456Z");
}

TEST_F(WakeupRecord, SaysItsGenerationAndNothingOfTheEvent) {
    const Outgoing record = write(5s);
    EXPECT_EQ(value(record, "sluice-generation"), "1763800000000001");
    EXPECT_EQ(record.headers.size(), 2U);
}

TEST_F(WakeupRecord, IsReadAsItWasWritten) {
    const Outgoing record = write(30s);
    const auto call = read_wakeup_record(headers_of(record));
    ASSERT_TRUE(call);
    EXPECT_EQ(call->gen, wakeup.gen);
    EXPECT_EQ(call->due, now + 30s);
}

TEST_F(WakeupRecord, WithoutAGenerationOrADueTimeWakesNothing) {
    EXPECT_EQ(refusal({}), WakeupRefusal::no_generation);
    EXPECT_EQ(refusal({{"sluice-generation", "7"}}), WakeupRefusal::no_due_time);
    EXPECT_EQ(refusal({{"sluice-due-at", "2026-11-22T10:00:00Z"}}), WakeupRefusal::no_generation);
}

TEST_F(WakeupRecord, WithAnOddGenerationWakesNothing) {
    for (const std::string_view gen : {"", "0", "-7", "+7", "07", " 7", "7 ", "7x", "9223372036854775808"}) {
        EXPECT_EQ(refusal({{"sluice-generation", gen}, {"sluice-due-at", "2026-11-22T10:00:00Z"}}),
                  WakeupRefusal::bad_generation)
            << gen;
    }
}

TEST_F(WakeupRecord, WithAnOddDueTimeWakesNothing) {
    EXPECT_EQ(refusal({{"sluice-generation", "7"}, {"sluice-due-at", "tomorrow"}}),
              WakeupRefusal::bad_due_time);
}

TEST_F(WakeupRecord, SaidTwiceWakesNothing) {
    const record::HeaderView due{"sluice-due-at", "2026-11-22T10:00:00Z"};
    EXPECT_EQ(refusal({{"sluice-generation", "7"}, due, {"sluice-generation", "7"}}),
              WakeupRefusal::said_twice);
    EXPECT_EQ(refusal({{"sluice-generation", "7"}, due, due}), WakeupRefusal::said_twice);
}

}  // namespace
}  // namespace sluice::consumer
