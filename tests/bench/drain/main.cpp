// The consumer's floor of `./run bench consumer`: bare batched SQL, hand-written prepared statements, one
// transaction per event, bare upserts, or a look and a change, over a topic that sluice-ingress wrote. Prints
// events per second and its own CPU time.
#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <exception>
#include <format>
#include <map>
#include <thread>

#include <CLI/CLI.hpp>

#include "tests/bench/drain/worker.hpp"

namespace {

using sluice::bench::Form;

struct Options {
    sluice::bench::Topic topic;
    sluice::bench::Database database;
    Form form = Form::batch;
    int partitions = 4;
    int connections = 1;
    std::size_t batch = 300;
    std::uint64_t events = 0;
};

void describe(CLI::App& app, Options& options) {
    const std::map<std::string, Form> forms{{"batch", Form::batch},
                                            {"prepared", Form::prepared},
                                            {"single", Form::single},
                                            {"upserts", Form::upserts},
                                            {"decided", Form::decided}};
    app.add_option("--kafka", options.topic.brokers)->required();
    app.add_option("--topic", options.topic.name)->required();
    app.add_option("--partitions", options.partitions);
    app.add_option("--mysql", options.database.port)->required();
    app.add_option("--database", options.database.name)->required();
    app.add_option("--user", options.database.user)->required();
    app.add_option("--password", options.database.password)->required();
    app.add_flag("--payload", options.database.payload, "raw bodies too");
    app.add_option("--form", options.form)->transform(CLI::CheckedTransformer(forms));
    app.add_option("--connections", options.connections);
    app.add_option("--batch", options.batch);
    app.add_option("--events", options.events, "how many the topic holds")->required();
}

std::int64_t processor_microseconds() {
    timespec used{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return used.tv_sec * 1'000'000 + used.tv_nsec / 1000;
}

sluice::bench::Topic share_of(const Options& options, int worker) {
    sluice::bench::Topic share = options.topic;
    for (int partition = worker; partition < options.partitions; partition += options.connections)
        share.partitions.push_back(partition);
    return share;
}

/// What the first twentieth takes is starting, not draining.
void drain(const Options& options) {
    std::atomic<std::uint64_t> applied{0};
    std::vector<std::jthread> threads;
    for (int worker = 0; worker < options.connections; ++worker)
        threads.emplace_back([&options, &applied, worker] {
            try {
                const sluice::bench::Topic share = share_of(options, worker);
                sluice::bench::Worker{share, options.database, options.form, options.batch}.run(
                    applied, options.events);
            } catch (const std::exception& error) {
                std::fprintf(stderr, "drain: %s\n", error.what());
                std::_Exit(1);
            }
        });
    using Clock = std::chrono::steady_clock;
    std::uint64_t already = applied;
    for (; already < options.events / 20; already = applied) applied.wait(already);
    const Clock::time_point began = Clock::now();
    const std::int64_t before = processor_microseconds();
    threads.clear();
    const double seconds = std::chrono::duration<double>{Clock::now() - began}.count();
    const auto events = static_cast<double>(applied - already);
    const auto used = static_cast<double>(processor_microseconds() - before);
    std::puts(std::format(R"({{"events": {}, "per_second": {:.1f}, "cpu_us_per_event": {:.3f}}})",
                          applied.load(), events / seconds, used / events)
                  .c_str());
}

}  // namespace

int main(int count, char** arguments) {
    CLI::App app{"applies a topic to a database with nothing around it"};
    Options options;
    describe(app, options);
    CLI11_PARSE(app, count, arguments);
    drain(options);
    return 0;
}
