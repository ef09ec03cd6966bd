#include "consumer/effects/set_based/newness.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <random>

#include "common/error.hpp"

namespace sluice::effects {
namespace {

constexpr WallTime noon{std::chrono::hours{12}};

Operand let_value(std::size_t number) {
    return {.kind = Operand::Kind::parameter, .text = {}, .parameter = number, .is_negative = false};
}

Upsert by_time_rank_and_id() {
    Upsert upsert;
    upsert.newer = {
        {"changed_at", let_value(0), {}}, {"state_rank", let_value(1), {}}, {"by_event", let_value(2), {}}};
    upsert.row = upsert.newer;
    return upsert;
}

Upsert deletion() {
    auto upsert = by_time_rank_and_id();
    upsert.tombstone = "deleted_at";
    upsert.deletes = true;
    upsert.row.push_back({"deleted_at", let_value(0), {}});
    return upsert;
}

Newness newness(std::int64_t rank, bool is_deleted = false, const std::string& id = "e", WallTime at = noon) {
    return {is_deleted, {at, rank, id}};
}

TEST(Newness, IsOfTheFirstValueThatDiffers) {
    const auto upsert = by_time_rank_and_id();
    const auto row = newness(5, false, "m");
    EXPECT_EQ(precedence_of(upsert, newness(5, false, "m"), nullptr), Precedence::newer);
    EXPECT_EQ(precedence_of(upsert, newness(6, false, "a"), &row), Precedence::newer);
    EXPECT_EQ(precedence_of(upsert, newness(4, false, "z"), &row), Precedence::stale);
    EXPECT_EQ(precedence_of(upsert, newness(5, false, "n"), &row), Precedence::newer);
    EXPECT_EQ(precedence_of(upsert, newness(5, false, "M"), &row), Precedence::stale) << "bytes, not letters";
    EXPECT_EQ(precedence_of(upsert, newness(9, false, "z", noon - std::chrono::microseconds{1}), &row),
              Precedence::stale);
    EXPECT_EQ(precedence_of(upsert, newness(0, false, "a", noon + std::chrono::microseconds{1}), &row),
              Precedence::newer);
}

TEST(Newness, ATieIsWrittenOnlyWhereTheRuleSaysSo) {
    auto upsert = by_time_rank_and_id();
    const auto row = newness(5);
    EXPECT_EQ(precedence_of(upsert, newness(5), &row), Precedence::tie);
    upsert.replaces_ties = true;
    EXPECT_EQ(precedence_of(upsert, newness(5), &row), Precedence::newer);
    EXPECT_EQ(precedence_of(upsert, newness(4), &row), Precedence::stale);
}

TEST(Newness, NothingBringsADeletedRowBack) {
    const auto deleted = newness(1, true);
    const auto alive = newness(9);
    EXPECT_EQ(precedence_of(by_time_rank_and_id(), newness(9), &deleted), Precedence::stale);
    EXPECT_EQ(precedence_of(deletion(), newness(1, true), &alive), Precedence::newer)
        << "however new the row is";
    EXPECT_EQ(precedence_of(deletion(), newness(0, true), &deleted), Precedence::stale);
    EXPECT_EQ(made_outdated(by_time_rank_and_id(), Precedence::stale, alive, deleted).why, row_is_deleted);
    EXPECT_EQ(made_outdated(by_time_rank_and_id(), Precedence::stale, alive, alive).why, row_is_newer);
    EXPECT_TRUE(made_outdated(by_time_rank_and_id(), Precedence::tie, alive, alive).is_stale);
}

TEST(Newness, DoesNotCompareOtherTypes) {
    const Newness number{false, {std::int64_t{7}}};
    const Newness text{false, {std::string{"7"}}};
    EXPECT_EQ(precedence_of(by_time_rank_and_id(), number, &text), std::nullopt);
}

TEST(Newness, OfAnEventWithoutAValueParks) {
    const record::EventHeaders headers;
    const std::vector<store::Datum> whole{noon, std::int64_t{5}, std::string_view{"e"}};
    EXPECT_EQ(newness_of(deletion(), {whole, headers}), newness(5, true));
    for (std::size_t i = 0; i < whole.size(); ++i) {
        auto values = whole;
        values[i] = nullptr;
        const auto made = newness_of(by_time_rank_and_id(), {values, headers});
        ASSERT_FALSE(made);
        EXPECT_EQ(made.error().outcome, Outcome::park);
        EXPECT_EQ(made.error().error, errc::missing_pointer);
    }
    auto never_deleted = deletion();
    never_deleted.row.back().value = {};
    EXPECT_FALSE(newness_of(never_deleted, {whole, headers}));
}

TEST(Newness, IsReadAsItWasWritten) {
    const std::vector<store::OwnedDatum> row{noon, std::int64_t{5}, std::string{"e"}, std::int64_t{1}};
    EXPECT_EQ(newness_of(row), newness(5, true));
    EXPECT_EQ(newness_of(std::vector<store::OwnedDatum>{nullptr, std::int64_t{0}}), std::nullopt);
    EXPECT_EQ(
        newness_columns(deletion()),
        (std::vector<std::string>{"`changed_at`", "`state_rank`", "`by_event`", "`deleted_at` IS NOT NULL"}));
    EXPECT_EQ(newness_columns(by_time_rank_and_id()).back(), "0");
}

/// What the events of one object leave of its row, in the order in which they come.
Newness row_after(const std::vector<Newness>& events) {
    const auto update = by_time_rank_and_id();
    const auto remove = deletion();
    std::optional<Newness> row;
    for (const auto& event : events) {
        const auto precedence =
            precedence_of(event.is_deleted ? remove : update, event, row ? &*row : nullptr);
        if (precedence == Precedence::newer) row = event;
    }
    return row.value();
}

TEST(Newness, AnyOrderAndAnyDuplicatesLeaveTheSameRow) {
    std::mt19937 random{20261127};
    const auto below = [&](int limit) { return std::uniform_int_distribution{0, limit - 1}(random); };
    for (int round = 0; round < 100'000; ++round) {
        std::vector<Newness> events;
        const int count = 1 + below(7);
        for (int i = 0; i < count; ++i) {
            events.push_back(newness(below(3), below(8) == 0, "evt_" + std::to_string(i),
                                     noon + std::chrono::seconds{below(3)}));
        }
        auto in_order = events;
        std::ranges::sort(in_order, {},
                          [](const Newness& one) { return std::pair{one.is_deleted, one.marks}; });
        const auto wanted = row_after(in_order);
        ASSERT_EQ(wanted, in_order.back());
        for (int i = below(4); i > 0; --i) events.push_back(events[static_cast<std::size_t>(below(count))]);
        std::ranges::shuffle(events, random);
        ASSERT_EQ(row_after(events), wanted) << "round " << round;
    }
}

}  // namespace
}  // namespace sluice::effects
