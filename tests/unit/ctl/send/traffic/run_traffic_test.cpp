#include "ctl/send/traffic/run_traffic.hpp"

#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <thread>

#include <gtest/gtest.h>
#include <httplib.h>

#include "common/webhook/signature/verify.hpp"
#include "ctl/send/traffic/stripe_story.hpp"
#include "tests/unit/ctl/sample_source.hpp"

namespace sluice::ctl {
namespace {

/// Verifies as the ingress does and answers 200 with its decision, or 400 with a word of its own; the first
/// `failing` authentic ones get a 503.
class Receiver {
public:
    Receiver(const webhook::Source& source, int failing) : source_{source}, failing_{failing} {
        server_.Post(source.path, [this](const httplib::Request& request, httplib::Response& response) {
            answer(request, response);
        });
        port_ = server_.bind_to_any_port("127.0.0.1");
        thread_ = std::jthread{[this] { server_.listen_after_bind(); }};
        server_.wait_until_ready();
    }
    ~Receiver() { server_.stop(); }

    [[nodiscard]] std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
    [[nodiscard]] std::vector<Facts> accepted() {
        const std::scoped_lock lock{mutex_};
        return accepted_;
    }

private:
    void answer(const httplib::Request& request, httplib::Response& response) {
        OutgoingRequest arrived{.target = request.path, .headers = {}, .body = request.body};
        for (const auto& [name, value] : request.headers) arrived.headers.emplace_back(name, value);
        webhook::Scratch scratch;
        const ArrivedRequest view{arrived};
        const bool is_authentic =
            webhook::verify(source_, view.view(), SystemClock{}.wall(), scratch).has_value();
        const std::scoped_lock lock{mutex_};
        response.status = !is_authentic ? 400 : failing_-- > 0 ? 503 : 200;
        response.set_header("sluice-decision", response.status == 200 ? "accepted" : "published by me");
        if (response.status == 200) accepted_.push_back(facts_of(source_, arrived));
    }

    const webhook::Source& source_;
    std::mutex mutex_;
    int failing_;
    std::vector<Facts> accepted_;
    httplib::Server server_;
    int port_ = 0;
    std::jthread thread_;
};

Traffic traffic_to(const Receiver& receiver, std::shared_ptr<const webhook::Source> source, const Mix& mix) {
    Traffic traffic;
    traffic.endpoint = endpoint_from_url(receiver.url(), source->path);
    traffic.signer = std::make_shared<const Signer>(sample_signer(source, SystemClock{}.wall()));
    traffic.forgeries = forgeries_for(*source);
    traffic.maker.source = source;
    traffic.maker.path = traffic.endpoint.path;
    traffic.source = std::move(source);
    StripeStory story{{.types = stripe_story_types(), .customers = 5, .seed = 3, .created = 1'790'000'000}};
    for (std::size_t i = 0; i < mix.events + extra_events(mix); ++i) traffic.events.push_back(story.next());
    traffic.plan = plan_of(mix);
    traffic.threads = 4;
    return traffic;
}

const Mix mix{.events = 200, .duplicates = 20, .forged = 15, .stale = 10, .disorder = false, .seed = 3};

/// Signs with the real time; a pause is over as soon as it is looked at.
class HastyClock final : public Clock {
public:
    [[nodiscard]] WallTime wall() const override { return SystemClock{}.wall(); }
    [[nodiscard]] SteadyTime steady() const override { return SteadyTime{} + std::chrono::minutes{++looks_}; }

private:
    mutable std::atomic<int> looks_{0};
};

const HastyClock hasty_clock;
const std::atomic<bool> never{false};

}  // namespace

TEST(RunTraffic, EveryKindGetsItsAnswerAndObjectsKeepTheirOrder) {
    const auto source = sample_source();
    Receiver receiver{*source, 0};
    const Traffic traffic = traffic_to(receiver, source, mix);
    const Tally tally = run_traffic(traffic, hasty_clock, never, [](const Progress&) {});
    EXPECT_TRUE(tally.is_as_it_should_be()) << tally.to_people();
    EXPECT_EQ(tally.answers(), 200U + 40 + 30 + 20);

    std::map<std::string, std::vector<std::string>> arrived;
    for (const auto& facts : receiver.accepted()) {
        auto& ids = arrived[facts.object];
        if (!std::ranges::contains(ids, facts.id)) ids.push_back(facts.id);
    }
    std::map<std::string, std::vector<std::string>> told;
    for (std::size_t i = 0; i < mix.events; ++i)
        told[traffic.events[i].object].push_back(traffic.events[i].id);
    EXPECT_EQ(arrived, told);
}

TEST(RunTraffic, RepeatsLikeAProviderUntilItIsAccepted) {
    const auto source = sample_source();
    Receiver receiver{*source, 3};
    Traffic traffic = traffic_to(receiver, source, {.events = 5, .seed = 3});
    traffic.attempts = 5;
    const Tally tally = run_traffic(traffic, hasty_clock, never, [](const Progress&) {});
    EXPECT_TRUE(tally.is_as_it_should_be()) << tally.to_people();
    EXPECT_EQ(tally.answers(), 8U);
    EXPECT_EQ(receiver.accepted().size(), 5U);
}

TEST(RunTraffic, TellsWhatWasDecidedAndRepeatsNoOtherWord) {
    const auto source = sample_source();
    Receiver receiver{*source, 0};
    const Traffic traffic = traffic_to(receiver, source, {.events = 3, .forged = 100, .seed = 3});
    const Tally tally = run_traffic(traffic, hasty_clock, never, [](const Progress&) {});
    EXPECT_EQ(
        to_line(tally.to_json()["answers"]),
        R"([{"kind":"fresh","status":200,"decision":"accepted","count":3},{"kind":"forged","status":400,"decision":null,"count":3}])");
}

TEST(RunTraffic, GivesUpWithoutRetryAndSaysSo) {
    const auto source = sample_source();
    Receiver receiver{*source, 3};
    const Tally tally = run_traffic(traffic_to(receiver, source, {.events = 5, .seed = 3}), hasty_clock,
                                    never, [](const Progress&) {});
    EXPECT_EQ(tally.failures(), 3U);
}

TEST(RunTraffic, TheEventsFileAgreesWithWhatWasReceived) {
    const auto source = sample_source();
    Receiver receiver{*source, 2};
    Traffic traffic = traffic_to(receiver, source, mix);
    traffic.attempts = 3;
    traffic.events_file =
        (std::filesystem::path{testing::TempDir()} / ("events" + std::to_string(getpid()))).string();
    static_cast<void>(run_traffic(traffic, hasty_clock, never, [](const Progress&) {}));
    std::int64_t told = 0;
    std::size_t accepted = 0;
    std::ifstream file{traffic.events_file};
    for (std::string line; std::getline(file, line);) {
        const Json json = parse_json(line).value();
        if (json["status"] != 200) continue;
        ++accepted;
        told += json["amount"].get<std::int64_t>();
    }
    std::int64_t received = 0;
    for (const auto& facts : receiver.accepted()) received += facts.amount;
    EXPECT_EQ(told, received);
    EXPECT_EQ(accepted, receiver.accepted().size());
    std::filesystem::remove(traffic.events_file);
}

TEST(RunTraffic, StopsWhenToldTo) {
    const auto source = sample_source();
    Receiver receiver{*source, 0};
    const std::atomic<bool> stop{true};
    const Tally tally =
        run_traffic(traffic_to(receiver, source, mix), hasty_clock, stop, [](const Progress&) {});
    EXPECT_EQ(tally.answers(), 0U);
}

}  // namespace sluice::ctl
