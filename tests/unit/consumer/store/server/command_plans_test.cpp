#include <string>

#include "consumer/store/command/command_key.hpp"
#include "consumer/store/command/command_list.hpp"
#include "consumer/store/command/open_calls.hpp"
#include "tests/unit/consumer/store/server/plans.hpp"

namespace sluice::store {
namespace {

/// A thousand live keys of each state. Half of the calls in progress are due.
class CommandPlansTest : public PlansTest {
protected:
    void SetUp() override {
        PlansTest::SetUp();
        for (const int state : {0, 1, 2, 3}) fill("live", state, "IF(n % 2, n + 60, 60 - n)", thousand);
        run(*connection, "UPDATE command_key SET keep_until = keep_until + INTERVAL 1 DAY WHERE state <> 0");
    }

    /// Ten thousand that have expired and were not swept, of a state.
    void leave(int state) { fill("left", state, "n - 100000", ten_thousand); }
    void leave_all() {
        for (const int state : {1, 2, 3}) leave(state);
    }
    void fill(const std::string& name, int state, const std::string& seconds, const std::string& numbers) {
        const std::string of_state = std::to_string(state);
        run(*connection,
            "INSERT INTO command_key (key_digest, fingerprint, command, caller, caller_key, state, owner,"
            " keep_until) SELECT UNHEX(SHA2(CONCAT('" +
                name + of_state + " ', n), 256)), '', 'refund', 'shop', n, " + of_state +
                ", 'o', UTC_TIMESTAMP(6) + INTERVAL " + seconds + " SECOND" + numbers);
    }
    /// With statistics from before and from now: a few reads are the optimizer's.
    void expect_walks_past_none_of_them(const std::function<bool()>& what) {
        const auto swept = reads_of(what);
        leave_all();
        EXPECT_LE(reads_of(what), swept + 20);
        run(*connection, "ANALYZE TABLE command_key");
        EXPECT_LE(reads_of(what), swept + 20);
    }
    std::function<bool()> page_of(std::optional<std::string> state, std::optional<CommandPlace> after = {}) {
        return [this, filter = CommandFilter{.command = "refund", .state = std::move(state)}, after] {
            return list_commands(*connection, filter, 20, after).value().size() == 20;
        };
    }
};

TEST_F(CommandPlansTest, CallsThatAreDueAreFoundBesideWhatWasNotSwept) {
    expect_walks_past_none_of_them([&] { return due_calls(*connection, "refund", 64).value().size() == 64; });
}

TEST_F(CommandPlansTest, TheOldestCallIsFoundBesideWhatWasNotSwept) {
    const auto look = [&] { return age_of_oldest_call(*connection, "refund", 256).has_value(); };
    expect_walks_past_none_of_them(look);
    EXPECT_LE(reads_of(look), 3 * 256) << "of a thousand in progress";
}

TEST_F(CommandPlansTest, CallsThatWereGivenUpAreCountedBesideWhatWasNotSwept) {
    const auto count = [&] { return count_given_up_calls(*connection, "refund", 256).value() == 256; };
    expect_walks_past_none_of_them(count);
    EXPECT_LE(reads_of(count), 3 * 256) << "of a thousand";
}

TEST_F(CommandPlansTest, APageOfCallsInProgressReadsThatPage) {
    expect_walks_past_none_of_them(page_of("in_progress"));
    EXPECT_LE(reads_of(page_of("in_progress")), 80);
}

TEST_F(CommandPlansTest, APageOfWhatFailedReadsAPageOfEitherWay) {
    expect_walks_past_none_of_them(page_of("failed"));
    EXPECT_LE(reads_of(page_of("failed")), 120);
}

TEST_F(CommandPlansTest, APageOfAllReadsAPageOfEachState) {
    expect_walks_past_none_of_them(page_of(std::nullopt));
    EXPECT_LE(reads_of(page_of(std::nullopt)), 240);
    const auto page = list_commands(*connection, {}, 500, {}).value();
    EXPECT_LE(reads_of(page_of(std::nullopt, CommandPlace{page.back().keep_until, page.back().key})), 240);
}

TEST_F(CommandPlansTest, SweepingReadsWhatItDeletes) {
    leave_all();
    EXPECT_LE(reads_of([&] { return delete_expired_keys(*connection, 256).value() == 256; }), 2 * 256 + 20);
    EXPECT_LE(reads_of([&] { return oldest_expired_key(*connection).value().count() > 0; }), 20);
}

TEST_F(CommandPlansTest, SweepingWalksPastNoCallInProgress) {
    leave(0);
    EXPECT_LE(reads_of([&] { return delete_expired_keys(*connection, 256).value() == 0; }), 20);
    EXPECT_LE(reads_of([&] { return oldest_expired_key(*connection).value().count() == 0; }), 20);
}

}  // namespace
}  // namespace sluice::store
