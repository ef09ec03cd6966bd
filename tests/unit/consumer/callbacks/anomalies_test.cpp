#include "consumer/callbacks/anomalies.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace sluice::consumer {
namespace {

using namespace std::chrono_literals;

constexpr WallTime noon = std::chrono::sys_days{std::chrono::year{2026} / 11 / 30} + 12h;
const config::CallbackSettings five_and_ten{.recorded = true};

/// So many callbacks, `apart` from each other.
std::vector<SeenCallback> callbacks(int count, std::chrono::seconds apart, WallTime from = noon) {
    std::vector<SeenCallback> seen;
    for (int i = 0; i < count; ++i) seen.push_back({.at = from + i * apart, .is_accepted = true});
    return seen;
}

std::vector<FoundAnomaly> found_in(const std::vector<SeenCallback>& seen, Anomaly what) {
    std::vector<FoundAnomaly> found = anomalies_of(seen, five_and_ten);
    std::erase_if(found, [&](const FoundAnomaly& one) { return one.what != what; });
    return found;
}

std::size_t count(const std::vector<SeenCallback>& seen, Anomaly what) {
    return found_in(seen, what).size();
}

SeenCallback payment(std::string kind, std::string event, std::int64_t amount, WallTime at = noon,
                     std::string currency = "EUR") {
    return {.at = at,
            .is_accepted = true,
            .event_id = std::move(event),
            .payment = std::move(kind),
            .amount = amount,
            .currency = std::move(currency)};
}

TEST(Anomalies, BurstIsMoreThanAllowedWithinTheTime) {
    EXPECT_EQ(count(callbacks(5, 1s), Anomaly::burst_minute), 0);
    EXPECT_EQ(count(callbacks(6, 1s), Anomaly::burst_minute), 1);
    EXPECT_EQ(count(callbacks(6, 12s), Anomaly::burst_minute), 0)
        << "the first is a minute old with the sixth";
    EXPECT_EQ(count(callbacks(10, 100s), Anomaly::burst_hour), 0);
    EXPECT_EQ(count(callbacks(11, 100s), Anomaly::burst_hour), 1);
    EXPECT_EQ(count(callbacks(100, 360s), Anomaly::burst_hour), 0);
}

TEST(Anomalies, BurstIsOneForAsLongAsItGoesOn) {
    const auto found = found_in(callbacks(40, 5s), Anomaly::burst_minute);
    ASSERT_EQ(found.size(), 1);
    EXPECT_EQ(found[0].began, noon);
    EXPECT_EQ(found[0].last, noon + 39 * 5s);
    EXPECT_EQ(found[0].callbacks, 40);
}

TEST(Anomalies, BurstThatCameBackIsAnother) {
    auto seen = callbacks(7, 1s);
    const auto later = callbacks(7, 1s, noon + 10min);
    seen.insert(seen.end(), later.begin(), later.end());
    EXPECT_EQ(count(seen, Anomaly::burst_minute), 2);
    EXPECT_EQ(count(seen, Anomaly::burst_hour), 1);
}

TEST(Anomalies, LimitsAreThoseOfTheFile) {
    config::CallbackSettings settings = five_and_ten;
    settings.most_in_a_minute = 100;
    settings.most_in_an_hour = 3;
    const auto found = anomalies_of(callbacks(4, 1s), settings);
    ASSERT_EQ(found.size(), 1);
    EXPECT_EQ(found[0].what, Anomaly::burst_hour);
}

TEST(Anomalies, DuplicatesBelongToABurst) {
    auto seen = callbacks(6, 1s);
    for (SeenCallback& one : seen) one.is_accepted = false;
    EXPECT_EQ(count(seen, Anomaly::burst_minute), 1);
}

TEST(Anomalies, AmountsOfTwoEventsDiffer) {
    const auto found = found_in({payment("paid", "evt_1", 1000), payment("paid", "evt_2", 900, noon + 1h),
                                 payment("paid", "evt_3", 800, noon + 2h)},
                                Anomaly::amount_differs);
    ASSERT_EQ(found.size(), 1);
    EXPECT_EQ(found[0].detail, "evt_1 pays 1000 EUR, evt_2 pays 900 EUR");
    EXPECT_EQ(count({payment("paid", "evt_1", 1000), payment("paid", "evt_2", 1000, noon, "USD")},
                    Anomaly::amount_differs),
              1);
}

TEST(Anomalies, AmountsThatAreNoPaymentsOrOfOneEventDoNotDiffer) {
    EXPECT_EQ(
        count({payment("paid", "evt_1", 1000), payment("refunded", "evt_2", 900)}, Anomaly::amount_differs),
        0);
    EXPECT_EQ(
        count({payment("paid", "evt_1", 1000), payment("paid", "evt_2", 1000)}, Anomaly::amount_differs), 0);
    EXPECT_EQ(count({payment("paid", "evt_1", 1000), payment("paid", "evt_1", 900)}, Anomaly::amount_differs),
              0)
        << "another content of one event is a conflict, which the inbox finds";
    auto unknown = payment("paid", "evt_2", 0);
    unknown.amount.reset();
    EXPECT_EQ(count({payment("paid", "evt_1", 1000), unknown}, Anomaly::amount_differs), 0);
    auto again = payment("paid", "evt_2", 900);
    again.is_accepted = false;
    EXPECT_EQ(count({payment("paid", "evt_1", 1000), again}, Anomaly::amount_differs), 0);
}

TEST(Anomalies, PaidAfterClosedGoesByTheProvidersClock) {
    const auto closed = payment("closed", "evt_1", 0);
    const auto paid = payment("paid", "evt_2", 1000, noon + 1min);
    const auto found = found_in({closed, paid}, Anomaly::paid_after_closed);
    ASSERT_EQ(found.size(), 1);
    EXPECT_EQ(found[0].detail, "evt_1 closes it, evt_2 pays it");
    EXPECT_EQ(count({payment("paid", "evt_1", 1000), payment("closed", "evt_2", 0, noon + 1min)},
                    Anomaly::paid_after_closed),
              0);
    auto earlier = paid;
    earlier.occurred_at = noon - 1h;
    auto later = closed;
    later.occurred_at = noon - 30min;
    EXPECT_EQ(count({later, earlier}, Anomaly::paid_after_closed), 0) << "it came late, and happened before";
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
