#include "consumer/callbacks/anomalies.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace sluice::consumer {
namespace {

using namespace std::chrono_literals;

constexpr WallTime noon = std::chrono::sys_days{std::chrono::year{2026} / 11 / 30} + 12h;
const config::CallbackSettings five_and_ten{.recorded = true};

/// So many callbacks, `apart` from each other.
std::vector<WallTime> callbacks(int count, std::chrono::seconds apart, WallTime from = noon) {
    std::vector<WallTime> times;
    for (int i = 0; i < count; ++i) times.push_back(from + i * apart);
    return times;
}

std::vector<FoundAnomaly> of_kind(std::vector<FoundAnomaly> found, Anomaly what) {
    std::erase_if(found, [&](const FoundAnomaly& one) { return one.what != what; });
    return found;
}

std::size_t bursts(const std::vector<WallTime>& times, Anomaly what) {
    return of_kind(bursts_in(times, five_and_ten), what).size();
}

std::size_t payments(const std::vector<SeenPayment>& seen, Anomaly what) {
    return of_kind(strange_payments(seen), what).size();
}

SeenPayment payment(std::string kind, std::string event, std::int64_t amount, WallTime at = noon,
                    std::string currency = "EUR") {
    return {.at = at,
            .event_id = std::move(event),
            .payment = std::move(kind),
            .amount = amount,
            .currency = std::move(currency)};
}

TEST(Anomalies, BurstIsMoreThanAllowedWithinTheTime) {
    EXPECT_EQ(bursts(callbacks(5, 1s), Anomaly::burst_minute), 0);
    EXPECT_EQ(bursts(callbacks(6, 1s), Anomaly::burst_minute), 1);
    EXPECT_EQ(bursts(callbacks(6, 12s), Anomaly::burst_minute), 0)
        << "the first is a minute old with the sixth";
    EXPECT_EQ(bursts(callbacks(10, 100s), Anomaly::burst_hour), 0);
    EXPECT_EQ(bursts(callbacks(11, 100s), Anomaly::burst_hour), 1);
    EXPECT_EQ(bursts(callbacks(100, 360s), Anomaly::burst_hour), 0);
}

TEST(Anomalies, BurstIsOneForAsLongAsItGoesOn) {
    const auto found = of_kind(bursts_in(callbacks(40, 5s), five_and_ten), Anomaly::burst_minute);
    ASSERT_EQ(found.size(), 1);
    EXPECT_EQ(found[0].began, noon);
    EXPECT_EQ(found[0].last, noon + 39 * 5s);
    EXPECT_EQ(found[0].callbacks, 40);
}

TEST(Anomalies, BurstThatCameBackIsAnother) {
    auto seen = callbacks(7, 1s);
    const auto later = callbacks(7, 1s, noon + 10min);
    seen.insert(seen.end(), later.begin(), later.end());
    EXPECT_EQ(bursts(seen, Anomaly::burst_minute), 2);
    EXPECT_EQ(bursts(seen, Anomaly::burst_hour), 1);
}

TEST(Anomalies, LimitsAreThoseOfTheFile) {
    config::CallbackSettings settings = five_and_ten;
    settings.most_in_a_minute = 100;
    settings.most_in_an_hour = 3;
    const auto found = bursts_in(callbacks(4, 1s), settings);
    ASSERT_EQ(found.size(), 1);
    EXPECT_EQ(found[0].what, Anomaly::burst_hour);
}

TEST(Anomalies, AmountsOfTwoEventsDiffer) {
    const auto found = of_kind(
        strange_payments(std::vector{payment("paid", "evt_1", 1000), payment("paid", "evt_2", 900, noon + 1h),
                                     payment("paid", "evt_3", 800, noon + 2h)}),
        Anomaly::amount_differs);
    ASSERT_EQ(found.size(), 1);
    EXPECT_EQ(found[0].detail, "evt_1 pays 1000 EUR, evt_2 pays 900 EUR");
    EXPECT_EQ(payments({payment("paid", "evt_1", 1000), payment("paid", "evt_2", 1000, noon, "USD")},
                       Anomaly::amount_differs),
              1);
}

TEST(Anomalies, AmountsThatAreNoPaymentsOrOfOneEventDoNotDiffer) {
    const auto first = payment("paid", "evt_1", 1000);
    EXPECT_EQ(payments({first, payment("closed", "evt_2", 900)}, Anomaly::amount_differs), 0);
    EXPECT_EQ(payments({first, payment("paid", "evt_2", 1000)}, Anomaly::amount_differs), 0);
    EXPECT_EQ(payments({first, payment("paid", "evt_1", 900)}, Anomaly::amount_differs), 0)
        << "another content of one event is a conflict, which the inbox finds";
    EXPECT_EQ(payments({first, payment("paid", "evt_2", 900, noon + 9 * 24h)}, Anomaly::amount_differs), 0);
    auto unknown = payment("paid", "evt_2", 0);
    unknown.amount.reset();
    EXPECT_EQ(payments({first, unknown}, Anomaly::amount_differs), 0);
}

TEST(Anomalies, PaidAfterClosedGoesByTheProvidersClock) {
    const auto closed = payment("closed", "evt_1", 0);
    const auto paid = payment("paid", "evt_2", 1000, noon + 1min);
    const auto found = of_kind(strange_payments(std::vector{closed, paid}), Anomaly::paid_after_closed);
    ASSERT_EQ(found.size(), 1);
    EXPECT_EQ(found[0].detail, "evt_1 closes it, evt_2 pays it");
    EXPECT_EQ(payments({payment("paid", "evt_1", 1000), payment("closed", "evt_2", 0, noon + 1min)},
                       Anomaly::paid_after_closed),
              0);
    auto earlier = paid;
    earlier.occurred_at = noon - 1h;
    auto later = closed;
    later.occurred_at = noon - 30min;
    EXPECT_EQ(payments({later, earlier}, Anomaly::paid_after_closed), 0)
        << "it came late, and happened before";
    EXPECT_EQ(payments({closed, payment("paid", "evt_2", 1000, noon + 9 * 24h)}, Anomaly::paid_after_closed),
              0);
}

TEST(Anomalies, OneBodyOfSeveralEventsWithinADay) {
    EXPECT_EQ(one_body_of_several(std::vector<Named>{{noon, "a"}, {noon + 1h, "b"}}).size(), 1);
    EXPECT_TRUE(one_body_of_several(std::vector<Named>{{noon, "a"}, {noon + 1h, "a"}}).empty());
    EXPECT_TRUE(one_body_of_several(std::vector<Named>{{noon, "a"}, {noon + 25h, "b"}}).empty());
    const auto found =
        one_body_of_several(std::vector<Named>{{noon, "a"}, {noon + 1h, "b"}, {noon + 2h, "c"}});
    ASSERT_EQ(found.size(), 1);
    EXPECT_EQ(found[0].callbacks, 3);
    EXPECT_EQ(found[0].detail, "3 events have one body: a, b, c");
}

TEST(Anomalies, ClientFailsAtThreeSourcesWithinAnHour) {
    const auto failures = [](std::chrono::minutes apart) {
        return std::vector<Named>{{noon, "a"}, {noon + apart, "b"}, {noon + 2 * apart, "c"}};
    };
    EXPECT_EQ(failures_at_several(failures(30min)).size(), 1);
    EXPECT_TRUE(failures_at_several(failures(31min)).empty()) << "however many are handed in at once";
    EXPECT_TRUE(failures_at_several(std::vector<Named>{{noon, "a"}, {noon, "b"}, {noon, "a"}}).empty());
}

TEST(Anomalies, DetailsHaveAnEnd) {
    std::vector<Named> many;
    for (int i = 0; i < 1000; ++i) many.push_back({noon, "evt_" + std::to_string(i)});
    EXPECT_LT(one_body_of_several(many)[0].detail.size(), 1000);
}

TEST(Anomalies, HaveNamesOfTheirOwn) {
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i < anomaly_count; ++i) names.push_back(name_of(static_cast<Anomaly>(i)));
    std::ranges::sort(names);
    EXPECT_EQ(std::ranges::adjacent_find(names), names.end());
    EXPECT_EQ(name_of(Anomaly::failing_client), "failing_client");
}

}  // namespace
}  // namespace sluice::consumer
