#include "consumer/apply/unfit_record.hpp"

#include <gtest/gtest.h>

namespace sluice::consumer {
namespace {

constexpr std::string_view topic_id = "dQw4w9WgXcQdQw4w9WgXcQ";

/// Which record of a log it is.
struct InLog {
    std::int32_t partition = 3;
    std::int64_t offset = 17;
    std::int32_t leader_epoch = 5;
    std::string_view topic = topic_id;
};

crypto::Digest seen(const InLog& at, std::string_view body = "{}") {
    Record record;
    record.at = {.partition = at.partition, .offset = at.offset};
    record.value = body;
    record.leader_epoch = at.leader_epoch;
    return seen_once(at.topic, record);
}

TEST(SeenOnce, ARecordIsItselfHoweverOftenItIsDelivered) {
    EXPECT_EQ(seen({}), seen({}));
    Record again;
    again.at = {.partition = 3, .offset = 17, .generation = 9, .topic = 2};
    again.leader_epoch = 5;
    EXPECT_EQ(seen_once(topic_id, again), seen({})) << "read again by another assignment";
}

TEST(SeenOnce, WhereverItDiffersItIsAnotherRecord) {
    EXPECT_NE(seen({.partition = 4}), seen({}));
    EXPECT_NE(seen({.offset = 18}), seen({}));
    EXPECT_NE(seen({.topic = "recreatedrecreatedrecr"}), seen({}));
    EXPECT_NE(seen({.partition = 1, .offset = 23}), seen({.partition = 12, .offset = 3}));
}

TEST(SeenOnce, ALogThatWasCutGivesTheOffsetToAnotherRecord) {
    EXPECT_NE(seen({.leader_epoch = 6}), seen({.leader_epoch = 5}));
    EXPECT_NE(seen({.leader_epoch = 0}), seen({.leader_epoch = -1})) << "the first epoch is a known one";
}

TEST(SeenOnce, AnEpochThatIsNotKnownIsNoPartOfIt) {
    EXPECT_EQ(seen({.leader_epoch = -1}), crypto::sha256(std::string{topic_id} + "/3/17"))
        << "rows outlive the program that wrote them";
    EXPECT_EQ(seen({.leader_epoch = 5}), crypto::sha256(std::string{topic_id} + "/3/17/5"));
}

}  // namespace
}  // namespace sluice::consumer
