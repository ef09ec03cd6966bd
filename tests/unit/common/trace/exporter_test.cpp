#include "common/trace/exporter.hpp"

#include <condition_variable>
#include <deque>
#include <mutex>

#include <fcntl.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace sluice::trace {
namespace {

using nlohmann::json;
using std::chrono::hours;

int to_nowhere() {
    static const int descriptor = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    return descriptor;
}

/// What a test and a collector both see; the collector itself goes with the exporter.
struct Scene {
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<Sent> verdicts;  ///< the next ones; then everything is taken
    bool hangs = false;         ///< until it is hurried
    bool hurried = false;
    std::vector<json> sent;

    void wait_for_requests(std::size_t count) {
        std::unique_lock lock{mutex};
        changed.wait(lock, [&] { return sent.size() >= count; });
    }
};

class SceneCollector final : public Collector {
public:
    explicit SceneCollector(Scene& scene) : scene_{scene} {}

    Sent send(std::string_view body, Milliseconds) override {
        std::unique_lock lock{scene_.mutex};
        scene_.sent.push_back(json::parse(body));
        scene_.changed.notify_all();
        if (scene_.hangs) {
            scene_.changed.wait(lock, [this] { return scene_.hurried; });
            return {Sent::Kind::again, "it did not answer in time"};
        }
        if (scene_.verdicts.empty()) return {};
        Sent verdict = std::move(scene_.verdicts.front());
        scene_.verdicts.pop_front();
        return verdict;
    }
    void hurry(Milliseconds) override {
        const std::lock_guard lock{scene_.mutex};
        scene_.hurried = true;
        scene_.changed.notify_all();
    }

private:
    Scene& scene_;
};

class ExporterTest : public testing::Test {
protected:
    std::unique_ptr<Exporter> exporter(Exporter::Settings settings = {}) {
        settings.service = "unit";
        settings.gather = Milliseconds{0};
        return std::make_unique<Exporter>(settings, std::make_unique<SceneCollector>(scene_), log_, metrics_);
    }
    static Span span() {
        return {.name = "x", .self = {"4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"}};
    }
    double count(const std::string& line) {
        const std::string text = metrics_.exposition();
        const auto at = text.find('\n' + line + ' ');
        return at == std::string::npos ? 0 : std::stod(text.substr(at + line.size() + 1));
    }

    Scene scene_;
    Metrics metrics_;
    Log log_{{.program = "unit", .descriptor = to_nowhere()}};
};

TEST_F(ExporterTest, SendsWhatIsTold) {
    auto running = exporter();
    running->tell(span());
    scene_.wait_for_requests(1);
    running.reset();
    EXPECT_EQ(scene_.sent.front()["resourceSpans"][0]["scopeSpans"][0]["spans"][0]["name"], "x");
    EXPECT_EQ(count("sluice_trace_exported_total"), 1);
}

TEST_F(ExporterTest, SendsTheRestAtItsEnd) {
    auto running = exporter();
    for (int i = 0; i < 100; ++i) running->tell(span());
    running.reset();
    EXPECT_EQ(count("sluice_trace_exported_total"), 100);
}

TEST_F(ExporterTest, TriesAgainWhatMayBeTakenLater) {
    scene_.verdicts = {{Sent::Kind::again, "away"}, {Sent::Kind::again, "away"}};
    auto running = exporter({.first_pause = Milliseconds{1}, .longest_pause = Milliseconds{1}});
    running->tell(span());
    scene_.wait_for_requests(3);
    running.reset();
    EXPECT_EQ(scene_.sent[0], scene_.sent[2]);
    EXPECT_EQ(count("sluice_trace_exported_total"), 1);
    EXPECT_EQ(count("sluice_trace_export_failures_total"), 2);
}

TEST_F(ExporterTest, DropsWhatIsRefused) {
    scene_.verdicts = {{Sent::Kind::refused, "status 404"}};
    auto running = exporter();
    running->tell(span());
    scene_.wait_for_requests(1);
    running.reset();
    EXPECT_EQ(scene_.sent.size(), 1U);
    EXPECT_EQ(count("sluice_trace_dropped_total{reason=\"refused\"}"), 1);
}

// With a collector that never answers: each of these hangs when the promise is broken.
TEST_F(ExporterTest, NobodyWaitsForACollectorThatHangs) {
    scene_.hangs = true;
    auto running = exporter({.bounds = {.spans = 10, .bytes = 1 << 20}});
    running->tell(span());
    scene_.wait_for_requests(1);
    for (int i = 0; i < 1000; ++i) running->tell(span());
    EXPECT_EQ(count("sluice_trace_dropped_total{reason=\"queue_full\"}"), 990);
    running.reset();
    EXPECT_EQ(count("sluice_trace_dropped_total{reason=\"shutdown\"}"), 11);
}

TEST_F(ExporterTest, ItsEndDoesNotWaitForAPause) {
    scene_.verdicts = {{Sent::Kind::again, "away"}};
    auto running = exporter({.first_pause = hours{1}, .longest_pause = hours{1}});
    running->tell(span());
    scene_.wait_for_requests(1);
    running.reset();
    EXPECT_EQ(count("sluice_trace_dropped_total{reason=\"shutdown\"}"), 1);
}

}  // namespace
}  // namespace sluice::trace
