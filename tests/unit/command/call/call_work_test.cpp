#include "command/call/call_work.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>

#include "tests/unit/command/record/lossy_record.hpp"

namespace sluice::command {
namespace {

using namespace std::chrono_literals;
using Kind = Answer::Kind;
using Loss = LossyRecord::Loss;
using State = CallEnd::State;

/// A call of a service that nobody can reach, and that cannot be asked.
class CallWorkTest : public testing::Test {
    SystemClock clock_;
    Log log_{{.program = "test", .descriptor = ::open("/dev/null", O_WRONLY)}};
    Definition definition_;

protected:
    CallWorkTest() {
        auto call = std::make_unique<CallDefinition>();
        call->url = "http://127.0.0.1:1/";
        call->allowed = {*network::Block::parse("127.0.0.1")};
        definition_.name = "refund";
        definition_.keep = 72h;
        definition_.call = std::move(call);
        metrics.emplace(registry, definition_.name);
        auto own = std::make_unique<LossyRecord>();
        record = own.get();
        work.emplace(CallSurroundings{definition_, {}, clock_, log_, *metrics, stopping.get_token()},
                     std::move(own));
    }
    [[nodiscard]] bool is_counted(const std::string& result) const {
        return registry.exposition().contains("result=\"" + result + "\"} 1");
    }

    const Request request{.key = {.command = "refund", .caller = "shop", .key = "r1"},
                          .fingerprint = crypto::sha256("5 cents"),
                          .body = "{}"};
    std::stop_source stopping;
    Metrics registry;
    std::optional<CallMetrics> metrics;
    LossyRecord* record = nullptr;
    std::optional<CallWork> work;
};

TEST_F(CallWorkTest, AnEndThatNobodyConfirmedIsItsOwn) {
    record->known = {.claim = {.owner = "another", .fence = 4}, .is_due = true};
    record->losses = {Loss::none, Loss::after};  // of the take-over, and of the end
    work->settle_due();
    EXPECT_EQ(record->known->end->state, State::given_up);
    EXPECT_TRUE(is_counted("not_known")) << registry.exposition();
    EXPECT_FALSE(is_counted("fenced"));
}

TEST_F(CallWorkTest, AnEndThatNobodyConfirmedIsTold) {
    record->losses = {Loss::none, Loss::after};
    EXPECT_EQ(work->execute(request).kind, Kind::not_executed);
    EXPECT_TRUE(is_counted("not_executed"));
}

TEST_F(CallWorkTest, AfterAStopNothingIsSentAndTheRecordSaysSo) {
    stopping.request_stop();
    const Answer answer = work->execute(request);
    EXPECT_EQ(answer.kind, Kind::not_executed);
    EXPECT_TRUE(answer.why.contains("program ends")) << answer.why;
    EXPECT_EQ(record->known->end->state, State::failed);
}

TEST_F(CallWorkTest, AfterAStopARecordThatIsAwayIsWaitedForNoLonger) {
    record->losses.assign(10, Loss::before);
    record->losses.front() = Loss::none;
    stopping.request_stop();
    EXPECT_EQ(work->execute(request).kind, Kind::unavailable);
    EXPECT_EQ(record->losses.size(), 8U) << "one try to write how it ended";
    EXPECT_FALSE(record->known->end) << "whoever comes when the lease is over finds out";
}

TEST_F(CallWorkTest, ARecordThatHasForgottenTheCallIsNotWhatAnotherDid) {
    record->forgets_at_end = true;
    EXPECT_EQ(work->execute(request).kind, Kind::unavailable);
    EXPECT_FALSE(is_counted("fenced"));
}

}  // namespace
}  // namespace sluice::command
