#include "consumer/apply/inbox_rows.hpp"

#include <array>

#include <gtest/gtest.h>

namespace sluice::consumer {
namespace {

using Payload = config::InboxSettings::Payload;
using store::InboxStatus;

constexpr std::array went_well{InboxStatus::done, InboxStatus::ignored};
constexpr std::array did_not{InboxStatus::dead,   InboxStatus::retry,   InboxStatus::deferred,
                             InboxStatus::parked, InboxStatus::skipped, InboxStatus::rerun,
                             InboxStatus::newer};

TEST(KeepsPayload, OfAllEvents) {
    for (const auto status : went_well) EXPECT_TRUE(keeps_payload(Payload::all, status)) << name_of(status);
    for (const auto status : did_not) EXPECT_TRUE(keeps_payload(Payload::all, status)) << name_of(status);
}

TEST(KeepsPayload, OfThoseThatDidNotGoThrough) {
    for (const auto status : went_well)
        EXPECT_FALSE(keeps_payload(Payload::failed, status)) << name_of(status);
    for (const auto status : did_not) EXPECT_TRUE(keeps_payload(Payload::failed, status)) << name_of(status);
}

TEST(KeepsPayload, OfNoEvent) {
    for (const auto status : went_well) EXPECT_FALSE(keeps_payload(Payload::none, status)) << name_of(status);
    for (const auto status : did_not) EXPECT_FALSE(keeps_payload(Payload::none, status)) << name_of(status);
}

}  // namespace
}  // namespace sluice::consumer
