#include "ingress/drain.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sluice::ingress {
namespace {

using namespace std::chrono_literals;

class Recorder final : public Drainage, public Clock {
public:
    void refuse_traffic() override { note("refuse traffic"); }
    void serve_for(Milliseconds time) override { now_ += time; }
    void stop_accepting() override { note("stop accepting"); }
    bool is_quiet() override { return now_ >= quiet_at; }
    void cut() override { note("cut"); }
    bool flush(Milliseconds within) override {
        note("flush");
        flush_within = within;
        return flushes;
    }
    void wait(Milliseconds time) override { now_ += time; }
    WallTime wall() const override { return {}; }
    SteadyTime steady() const override { return SteadyTime{now_}; }

    Milliseconds quiet_at{0};
    bool flushes = true;
    std::vector<std::string> steps;
    Milliseconds flush_within{};

private:
    void note(const std::string& step) { steps.push_back(step + " at " + std::to_string(now_.count())); }
    Milliseconds now_{0};
};

using Steps = std::vector<std::string>;

TEST(Drain, LeavesInOrder) {
    Recorder recorder;
    EXPECT_TRUE(drain(recorder, {5000ms, 25000ms}, recorder));
    EXPECT_EQ(recorder.steps, (Steps{"refuse traffic at 0", "stop accepting at 5000", "flush at 5000"}));
    EXPECT_EQ(recorder.flush_within, 22500ms);
}

TEST(Drain, WaitsForRequestsInProgress) {
    Recorder recorder;
    recorder.quiet_at = 7000ms;
    EXPECT_TRUE(drain(recorder, {5000ms, 25000ms}, recorder));
    EXPECT_EQ(recorder.steps.back(), "flush at 7000");
}

TEST(Drain, CutsWhatDoesNotEndAndStillFlushesInTime) {
    Recorder recorder;
    recorder.quiet_at = 1h;
    EXPECT_FALSE(drain(recorder, {5000ms, 25000ms}, recorder));
    EXPECT_EQ(recorder.steps,
              (Steps{"refuse traffic at 0", "stop accepting at 5000", "cut at 25000", "flush at 25000"}));
    EXPECT_EQ(recorder.flush_within, 2500ms);
}

TEST(Drain, SaysWhenSomethingWasNotFlushed) {
    Recorder recorder;
    recorder.flushes = false;
    EXPECT_FALSE(drain(recorder, {0ms, 1000ms}, recorder));
}

}  // namespace
}  // namespace sluice::ingress
