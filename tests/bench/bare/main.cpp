// A bare client of Redis and Kafka for `./run bench latency`: SET NX, then produce, at a fixed rate. What an
// event takes here from when it was due to its delivery report is the wait that no ingress can avoid.
#include <array>
#include <cstdio>
#include <exception>
#include <format>
#include <string>
#include <unordered_map>

#include <sys/epoll.h>

#include <CLI/CLI.hpp>

#include "tests/bench/floor/producer.hpp"
#include "tests/bench/floor/redis_pipeline.hpp"
#include "tests/bench/load/tally.hpp"

namespace {

using sluice::bench::Clock;
using sluice::bench::Form;

constexpr std::size_t body_size = 2048;
constexpr std::chrono::seconds unanswered_within{10};
constexpr int stored = 200;
constexpr int lost = 503;

struct Options {
    std::uint16_t redis = 0;
    std::string brokers;
    std::string topic;
    std::string run;
    double rate = 1000;
    double warm_up = 1;
    double seconds = 3;
    bool gathering = false;
};

class Client {
public:
    explicit Client(const Options& options)
        : options_{options},
          redis_{options.redis,
                 [this](std::uint64_t ticket, bool) { producer_.produce(object(ticket), body_, ticket); }},
          producer_{options.brokers, options.topic, options.gathering ? Form::gathering : Form::plain,
                    [this](std::uint64_t ticket, bool is_stored) { reported(ticket, is_stored); }} {
        epoll_.add(redis_.descriptor(), &redis_);
        epoll_.add(producer_.descriptor(), &producer_);
    }

    [[nodiscard]] sluice::bench::Window run() {
        const auto seconds = [](double count) {
            return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>{count});
        };
        next_due_ = Clock::now();
        const Clock::time_point measured_from = next_due_ + seconds(options_.warm_up);
        const Clock::time_point end = measured_from + seconds(options_.seconds);
        while (Clock::now() < end) {
            measuring_ = Clock::now() >= measured_from;
            send_due(seconds(1 / options_.rate));
            turn(std::min(next_due_, end));
        }
        measuring_ = false;
        const Clock::time_point patience = Clock::now() + unanswered_within;
        while (!due_.empty() && Clock::now() < patience) turn(patience);
        return {.seconds = options_.seconds, .processor = 0, .threads = {}};
    }

    [[nodiscard]] sluice::bench::Tally& tally() noexcept { return tally_; }

private:
    [[nodiscard]] std::string object(std::uint64_t ticket) const {
        return std::format("stripe/acct_main/pi_{}{:010}", options_.run, ticket);
    }

    void send_due(Clock::duration between) {
        for (const Clock::time_point now = Clock::now(); next_due_ <= now; next_due_ += between) {
            due_[tally_.sent] = next_due_;
            redis_.claim(std::format("evt_{}{:010}", options_.run, tally_.sent), tally_.sent);
            ++tally_.sent;
        }
        redis_.flush();
    }

    void turn(Clock::time_point until) {
        std::array<epoll_event, 16> events;
        const auto left = std::chrono::duration_cast<std::chrono::nanoseconds>(until - Clock::now()).count();
        const timespec within{0, std::clamp<std::int64_t>(left, 0, 50'000'000)};
        const int count = epoll_pwait2(epoll_.get(), events.data(), events.size(), &within, nullptr);
        for (int i = 0; i < count; ++i) {
            if (events[static_cast<std::size_t>(i)].data.ptr == &redis_)
                redis_.readable();
            else
                producer_.serve();
        }
    }

    void reported(std::uint64_t ticket, bool is_stored) {
        const auto found = due_.find(ticket);
        tally_.answered(is_stored ? stored : lost, Clock::now() - found->second, measuring_);
        due_.erase(found);
    }

    const Options& options_;
    std::string body_ = std::string(body_size, 'x');
    sluice::bench::Epoll epoll_;
    sluice::bench::RedisPipeline redis_;
    sluice::bench::Producer producer_;
    sluice::bench::Tally tally_;
    std::unordered_map<std::uint64_t, Clock::time_point> due_;
    Clock::time_point next_due_;
    bool measuring_ = false;
};

}  // namespace

int main(int count, char** arguments) {
    CLI::App app{"SET NX and produce, at a fixed rate, with nothing around them"};
    Options options;
    app.add_option("--redis", options.redis, "port of Redis")->required();
    app.add_option("--kafka", options.brokers)->required();
    app.add_option("--topic", options.topic)->required();
    app.add_option("--run", options.run, "8 characters, part of every id")->required();
    app.add_option("--rate", options.rate, "events per second");
    app.add_option("--warm-up", options.warm_up, "seconds");
    app.add_option("--seconds", options.seconds, "the measured window");
    app.add_flag("--gathering", options.gathering);
    CLI11_PARSE(app, count, arguments);
    try {
        Client client{options};
        const sluice::bench::Window window = client.run();
        std::puts(printed(client.tally(), window).c_str());
    } catch (const std::exception& error) {
        std::fprintf(stderr, "bare: %s\n", error.what());
        return 1;
    }
    return 0;
}
