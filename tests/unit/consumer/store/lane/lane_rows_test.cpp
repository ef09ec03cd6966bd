#include "consumer/store/lane/lane_rows.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace sluice::store {
namespace {

const Row parked{std::int64_t{3}, "parked", std::int64_t{0}, std::int64_t{0},
                 nullptr,         nullptr,  std::int64_t{0}, std::int64_t{0}};

TEST(LaneRows, TakeARowThatNeverWaitedForOneWithoutTimes) {
    EXPECT_EQ(lane_row_columns(parked), (lane::Row{.position = 3, .first_failed_at = {}}));
    std::vector<Datum> data;
    append_lane_row(data, {.position = 3, .first_failed_at = {}});
    EXPECT_EQ(data, (std::vector<Datum>{"parked", std::int64_t{0}, std::int64_t{0}, nullptr, nullptr,
                                        std::int64_t{0}, std::int64_t{0}}));
}

TEST(LaneRows, TellAWakeupThatIsOwedFromOneThatIsSent) {
    EXPECT_EQ(wakeup_columns({std::int64_t{7}, WallTime{}, std::int64_t{0}}),
              (lane::Wakeup{.gen = 7, .due = WallTime{}, .sent = false}));
    EXPECT_EQ(wakeup_columns({std::int64_t{7}, nullptr, std::int64_t{1}}),
              (lane::Wakeup{.gen = 7, .due = std::nullopt, .sent = true}));
}

TEST(LaneRows, KnowAnEventWithoutAnInboxRow) {
    EXPECT_EQ(inbox_key_columns(nullptr, nullptr), std::nullopt);
    std::vector<Datum> data;
    append_inbox_key(data, std::nullopt);
    EXPECT_EQ(data, (std::vector<Datum>{nullptr, nullptr}));
}

TEST(LaneRows, RefuseATableThatIsNotOurs) {
    Row columns = parked;
    columns.at(1) = "lost";
    EXPECT_EQ(lane_row_columns(columns).status, lane::Status::newer);
}

TEST(LaneRows, NameEachStatusAsTheInboxDoes) {
    for (const auto status :
         {lane::Status::deferred, lane::Status::retry, lane::Status::dead, lane::Status::parked}) {
        EXPECT_EQ(name_of(inbox_status_of(status)), lane::name_of(status));
    }
}

}  // namespace
}  // namespace sluice::store
