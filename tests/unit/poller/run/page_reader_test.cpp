#include "poller/run/page_reader.hpp"

#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <thread>

#include "poller/list/event_list.hpp"
#include "tests/unit/poller/fetch/scripted_server.hpp"

namespace sluice::poller {
namespace {

using std::chrono::seconds;

class HandClock final : public Clock {
public:
    [[nodiscard]] WallTime wall() const override { return WallTime{std::chrono::hours{1}}; }
    [[nodiscard]] SteadyTime steady() const override { return now.load(); }
    std::atomic<SteadyTime> now{SteadyTime{std::chrono::hours{1}}};
};

PollSettings settings(const ScriptedServer& server) {
    auto source = std::make_shared<webhook::Source>();
    source->name = "list";
    PollSettings poll;
    poll.source = std::move(source);
    poll.list = list_of("stripe");
    poll.key = config::Credential{"rk_test_list"};
    poll.api.url = "http://" + server.authority();
    poll.api.allowed = {network::Block::parse("127.0.0.0/8").value()};
    return poll;
}

/// As long as it lives no thread can be made: there is no room for its stack.
class NoThreads {
public:
    NoThreads() {
        ::pthread_getattr_default_np(&usual_);
        pthread_attr_t vast = usual_;
        ::pthread_attr_setstacksize(&vast, std::size_t{1} << 47U);
        ::pthread_setattr_default_np(&vast);
    }
    ~NoThreads() { ::pthread_setattr_default_np(&usual_); }
    NoThreads(const NoThreads&) = delete;
    NoThreads& operator=(const NoThreads&) = delete;

private:
    pthread_attr_t usual_{};
};

class PageReaderTest : public testing::Test {
protected:
    /// Comes back when the account was told, which only the early request can do.
    [[nodiscard]] Milliseconds told_to_wait() {
        while (true) {
            if (const Milliseconds wait = account_.take(); wait > seconds{60}) return wait;
            std::this_thread::yield();
        }
    }
    [[nodiscard]] bool counts_one(const std::string& result) const {
        return metrics_.exposition().contains("sluice_poller_requests_total{result=\"" + result +
                                              "\",source=\"list\"} 1\n");
    }

    std::atomic<bool> is_limited_{true};
    ScriptedServer server_{[this](const std::string&) -> ScriptedServer::Reply {
        if (!is_limited_) return success(R"({"data":[],"has_more":false})");
        return {.bytes = "HTTP/1.1 429 Too Many\r\nRetry-After: 1800\r\nContent-Length: 0\r\n\r\n"};
    }};
    PollSettings poll_ = settings(server_);
    HandClock clock_;
    Metrics metrics_;
    WalkMetrics walk_metrics_{metrics_, poll_};
    Account account_{10, clock_, budget_left(metrics_, "list")};
    PageReader reader_{poll_, account_, walk_metrics_, clock_};
    const Ask ask_{.what = Ask::What::behind, .id = "evt_1", .limit = 100};
    const Ask other_{.what = Ask::What::behind, .id = "evt_0", .limit = 100};
};

TEST_F(PageReaderTest, ALimitOfAnEarlyRequestIsTheAccountsBeforeAnybodyReadsIt) {
    reader_.ask_early(ask_);
    EXPECT_EQ(told_to_wait(), seconds{1800});
    EXPECT_TRUE(reader_.is_asked(ask_));
}

TEST_F(PageReaderTest, ALimitThatIsReadLateMakesNoLongerPause) {
    reader_.ask_early(ask_);
    static_cast<void>(told_to_wait());
    clock_.now = clock_.now.load() + seconds{30};
    EXPECT_EQ(reader_.read(ask_, {}).error().fault, Fault::limited);
    EXPECT_EQ(account_.take(), seconds{1770});
    EXPECT_TRUE(counts_one("limited"));
}

TEST_F(PageReaderTest, AnAnswerThatNobodyReadsIsCounted) {
    reader_.ask_early(ask_);
    static_cast<void>(told_to_wait());
    reader_.forget_early();
    EXPECT_TRUE(counts_one("limited"));
    EXPECT_FALSE(reader_.is_asked(ask_));
}

TEST_F(PageReaderTest, AnotherQuestionTakesNoEarlyAnswer) {
    reader_.ask_early(ask_);
    static_cast<void>(told_to_wait());
    is_limited_ = false;
    EXPECT_TRUE(reader_.read(other_, {}));
    EXPECT_TRUE(counts_one("limited"));
    EXPECT_TRUE(counts_one("ok"));
}

TEST_F(PageReaderTest, AsksInItsTurnWhereNoThreadCanBeMade) {
    is_limited_ = false;
    const NoThreads none;
    reader_.ask_early(ask_);
    EXPECT_FALSE(reader_.is_asked(ask_));
    EXPECT_TRUE(reader_.read(ask_, {}));
}

}  // namespace
}  // namespace sluice::poller
