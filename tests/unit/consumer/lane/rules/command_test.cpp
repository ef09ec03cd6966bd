#include "consumer/lane/rules/command.hpp"

#include <gtest/gtest.h>

#include "tests/unit/consumer/lane/rules/lanes.hpp"

namespace sluice::lane {
namespace {

using namespace std::chrono_literals;

const Wakeup resting{.gen = 7, .due = {}, .sent = true};

TEST(Command, RetryStartsADeadEventAnew) {
    Row buried = dead(3);
    buried.attempts = 9;
    buried.deferrals = 4;
    const Reply reply = obey(Action::retry, buried, resting, now);
    EXPECT_EQ(reply.kind, Reply::Kind::run_again);
    EXPECT_EQ(reply.row.status, Status::retry);
    EXPECT_EQ(reply.row.attempts, 0);
    EXPECT_EQ(reply.row.deferrals, 0);
    EXPECT_EQ(reply.row.first_failed_at, std::nullopt) << "its horizon begins anew";
    EXPECT_EQ(reply.row.due_at, now);
    EXPECT_EQ(reply.row.position, 3) << "in its own place";
}

TEST(Command, EveryOneThatIsCarriedOutArmsTheLane) {
    for (const Action action : {Action::retry, Action::skip, Action::edit}) {
        EXPECT_EQ(obey(action, dead(1), resting, now).wakeup, armed(resting, now)) << name_of(action);
    }
}

TEST(Command, ARowOfANewerReleaseIsLeftAlone) {
    for (const Action action : {Action::retry, Action::skip, Action::edit}) {
        const Reply reply = obey(action, waiting(1, Status::newer, 0s), resting, now);
        EXPECT_EQ(reply.kind, Reply::Kind::refused);
        EXPECT_EQ(reply.why, "newer");
    }
}

TEST(Command, SkipFinishesTheEvent) {
    EXPECT_EQ(obey(Action::skip, dead(1), resting, now).kind, Reply::Kind::skipped);
}

TEST(Command, EditRunsTheEventAgain) {
    EXPECT_EQ(obey(Action::edit, dead(1), resting, now).row.status, Status::retry);
}

TEST(Command, NobodyNeedsToWaitForADelay) {
    EXPECT_EQ(obey(Action::retry, retried(1, 1h), resting, now).row.due_at, now);
    EXPECT_EQ(obey(Action::skip, deferred(1, 1h), resting, now).kind, Reply::Kind::skipped);
}

TEST(Command, DoesNothingToAFinishedEvent) {
    const Reply reply = obey(Action::skip, std::nullopt, resting, now);
    EXPECT_EQ(reply.kind, Reply::Kind::refused);
    EXPECT_EQ(reply.why, "finished");
}

TEST(Command, DoesNothingToAnEventThatWasNotTried) {
    const Reply reply = obey(Action::retry, parked(2), resting, now);
    EXPECT_EQ(reply.kind, Reply::Kind::refused);
    EXPECT_EQ(reply.why, "parked");
}

}  // namespace
}  // namespace sluice::lane
