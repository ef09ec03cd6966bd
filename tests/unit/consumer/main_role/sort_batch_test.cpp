#include "consumer/main_role/sort_batch.hpp"

#include <gtest/gtest.h>

#include "common/crypto/digest.hpp"

namespace sluice::consumer {
namespace {

const std::chrono::sys_days today{std::chrono::year{2026} / 11 / 21};

Item event(std::string_view key, std::string_view id, std::int64_t offset,
           std::string_view content = "same") {
    Item item;
    auto owner = std::make_shared<std::string>(key);
    item.record.key = *owner;
    item.record.owner = owner;
    item.record.at = {0, offset, 1};
    item.decoded = true;
    item.event.dedup_key = crypto::sha256(id);
    item.event.content_digest = crypto::sha256(content);
    item.event.event_day = today;
    item.event.provider = "stripe";
    item.event.principal = "acct_eu";
    return item;
}

store::KnownEvent row(std::string_view id, store::DlqRecord dlq = store::DlqRecord::none,
                      std::string_view content = "same") {
    return {.key = {today, crypto::sha256(id)},
            .content_digest = crypto::sha256(content),
            .source = "s",
            .status = dlq == store::DlqRecord::none ? store::InboxStatus::done : store::InboxStatus::dead,
            .dlq = dlq};
}

std::vector<std::int64_t> offsets(const std::vector<Item*>& items) {
    std::vector<std::int64_t> list;
    for (const Item* item : items) list.push_back(item->record.at.offset);
    return list;
}

class SortBatch : public testing::Test {
protected:
    template <class... Items>
    const SortedBatch& given(Items... list) {
        (items.push_back(std::move(list)), ...);
        std::vector<Item*> all;
        for (Item& item : items) all.push_back(&item);
        sorted = sort_batch(all, {known, busy, dropped_before}, sources);
        return sorted;
    }
    std::vector<std::int64_t> fresh() const {
        std::vector<std::int64_t> list;
        for (const auto& f : sorted.fresh) list.push_back(f.item->record.at.offset);
        return list;
    }
    static std::shared_ptr<const webhook::Source> source_of(const std::string& principal) {
        return std::make_shared<webhook::Source>(
            webhook::Source{.name = principal,
                            .provider = "stripe",
                            .recipe = "stripe",
                            .principal = principal,
                            .path = "/" + principal,
                            .answers = {},
                            .program = {nullptr, +[](const webhook::Program*) {}}});
    }
    const webhook::SourceSet sources{source_of("acct_eu")};
    Items items;
    std::vector<store::KnownEvent> known;
    std::vector<store::LaneKey> busy;
    std::optional<std::chrono::sys_days> dropped_before;
    SortedBatch sorted;
};

using Offsets = std::vector<std::int64_t>;

TEST_F(SortBatch, OneThatMayHaveEndedASessionRunsAloneWithThoseBehindIt) {
    Item suspect = event("a", "1", 1);
    suspect.failures.troubled.times = 1;
    given(suspect, event("a", "2", 2), event("b", "3", 3));
    EXPECT_EQ(offsets(sorted.alone), (Offsets{1, 2}));
    EXPECT_EQ(fresh(), (Offsets{3}));
}

TEST_F(SortBatch, NewEventsGoTogetherByObjectEachInOrder) {
    given(event("b", "1", 1), event("a", "2", 2), event("b", "3", 3));
    EXPECT_EQ(fresh(), (Offsets{2, 1, 3}));
    EXPECT_TRUE(sorted.alone.empty());
}

TEST_F(SortBatch, EveryEventOfABusyLaneRunsAloneAndADuplicateToo) {
    known = {row("1"), row("4")};
    busy = {store::lane_key_of("a")};
    given(event("a", "1", 1), event("b", "2", 2), event("a", "3", 3), event("b", "4", 4));
    EXPECT_EQ(offsets(sorted.alone), (Offsets{1, 3}))
        << "a duplicate may have to pay what its first owner owed";
    EXPECT_EQ(fresh(), (Offsets{2}));
    EXPECT_EQ(offsets(sorted.duplicates), (Offsets{4}));
}

TEST_F(SortBatch, AKnownEventThatOwesNothingDropsOut) {
    known = {row("1"), row("2", store::DlqRecord::sent)};
    given(event("a", "1", 1), event("b", "2", 2), event("a", "3", 3));
    EXPECT_EQ(offsets(sorted.duplicates), (Offsets{1, 2}));
    EXPECT_EQ(fresh(), (Offsets{3}));
}

TEST_F(SortBatch, ADeadEventThatOwesItsRecordRunsAlone) {
    known = {row("1", store::DlqRecord::owed)};
    given(event("a", "1", 1));
    EXPECT_EQ(offsets(sorted.alone), (Offsets{1}));
}

TEST_F(SortBatch, OtherContentUnderAKnownIdRunsAlone) {
    known = {row("1", store::DlqRecord::none, "other")};
    given(event("a", "1", 1));
    EXPECT_EQ(offsets(sorted.alone), (Offsets{1}));
    EXPECT_TRUE(sorted.duplicates.empty());
}

TEST_F(SortBatch, ATwinSharesItsFirstsFate) {
    given(event("a", "1", 1), event("a", "1", 2), event("a", "1", 3));
    ASSERT_EQ(fresh(), (Offsets{1}));
    EXPECT_EQ(offsets(sorted.fresh[0].twins), (Offsets{2, 3}));
}

TEST_F(SortBatch, AnEventWhoseSourceIsNotKnownRunsAloneAndTheLaterOnesOfItsObjectToo) {
    Item unknown = event("a", "1", 1);
    unknown.event.principal = "acct_us";
    Item of_other_provider = event("c", "4", 4);
    of_other_provider.event.provider = "adyen";
    given(unknown, event("b", "2", 2), event("a", "3", 3), of_other_provider);
    EXPECT_EQ(offsets(sorted.alone), (Offsets{1, 3, 4}));
    EXPECT_EQ(fresh(), (Offsets{2}));
}

TEST_F(SortBatch, ATwinWithOtherContentRunsAlone) {
    given(event("a", "1", 1), event("a", "1", 2, "other"));
    EXPECT_EQ(fresh(), (Offsets{1}));
    EXPECT_EQ(offsets(sorted.alone), (Offsets{2}));
}

TEST_F(SortBatch, LaterEventsOfAnObjectLeaveWithTheOneThatRunsAlone) {
    known = {row("2", store::DlqRecord::owed)};
    given(event("a", "1", 1), event("a", "2", 2), event("a", "3", 3), event("b", "4", 4));
    EXPECT_EQ(fresh(), (Offsets{1, 4}));
    EXPECT_EQ(offsets(sorted.alone), (Offsets{2, 3}));
}

TEST_F(SortBatch, AnUndecodableRecordRunsAlone) {
    Item broken = event("a", "1", 1);
    broken.decoded = false;
    given(std::move(broken));
    EXPECT_EQ(offsets(sorted.alone), (Offsets{1}));
}

TEST_F(SortBatch, AnUnknownEventOfADroppedDayRunsAlone) {
    dropped_before = today + std::chrono::days{1};
    given(event("a", "1", 1));
    EXPECT_EQ(offsets(sorted.alone), (Offsets{1}));
}

TEST_F(SortBatch, AKnownEventOfADroppedDayIsADuplicate) {
    dropped_before = today + std::chrono::days{1};
    known = {row("1")};
    given(event("a", "1", 1));
    EXPECT_EQ(offsets(sorted.duplicates), (Offsets{1}));
}

TEST_F(SortBatch, UndatedEventsAreNeverTooOld) {
    dropped_before = today;
    Item undated = event("a", "1", 1);
    undated.event.event_day = record::undated;
    given(std::move(undated));
    EXPECT_EQ(fresh(), (Offsets{1}));
}

}  // namespace
}  // namespace sluice::consumer
