// Whether comparisons with secrets take the same time for inputs of two kinds: cycles of single calls, the
// kind drawn anew for each, and Welch's t over them. One JSON object a line.
#include <cstdio>
#include <print>

#include <CLI/CLI.hpp>

#include "tests/bench/constant_time/comparison.hpp"
#include "tests/bench/constant_time/cycles.hpp"
#include "tests/bench/constant_time/welch.hpp"

namespace {

using sluice::bench::Comparison;
using sluice::bench::Timing;
using sluice::bench::Verdict;

struct Options {
    std::size_t calls = 1'000'000;
    std::uint64_t seed = 1;
    std::string only;
};

constexpr std::size_t at_once = 1000;  // inputs that are made before any is used

struct Input {
    bool is_second;
    std::string bytes;
};

std::vector<Input> inputs_for(Comparison& comparison, std::mt19937_64& chance) {
    std::vector<Input> inputs;
    for (std::size_t i = 0; i < at_once; ++i) {
        const bool is_second = chance() % 2 == 1;
        inputs.push_back({is_second, comparison.make(is_second, chance)});
    }
    return inputs;
}

std::uint64_t cycles_of(Comparison& comparison, const std::string& input) {
    comparison.place(input);
    volatile bool sink = false;
    const std::uint64_t before = sluice::bench::cycles_before();
    sink = comparison.call();
    const std::uint64_t after = sluice::bench::cycles_after();
    static_cast<void>(sink);
    return after - before;
}

std::vector<Timing> timings_of(Comparison& comparison, std::size_t calls, std::mt19937_64& chance) {
    std::vector<Timing> timings;
    timings.reserve(calls + at_once);
    for (const Input& input : inputs_for(comparison, chance)) cycles_of(comparison, input.bytes);
    while (timings.size() < calls)
        for (const Input& input : inputs_for(comparison, chance))
            timings.push_back({cycles_of(comparison, input.bytes), input.is_second});
    return timings;
}

void run(const Options& options) {
    std::mt19937_64 chance{options.seed};
    for (Comparison& comparison : sluice::bench::comparisons()) {
        if (!comparison.name.contains(options.only)) continue;
        auto timings = timings_of(comparison, options.calls, chance);
        const Verdict verdict = sluice::bench::judge(timings);
        std::println(
            R"({{"comparison": "{}", "kinds": "{}", "stops_early": {}, "calls": {}, "cycles": {:.0f}, )"
            R"("t": {:.2f}, "worst": {:.2f}}})",
            comparison.name, comparison.kinds, comparison.stops_early, options.calls, verdict.mean_cycles,
            verdict.t, verdict.worst);
        std::fflush(stdout);
    }
}

}  // namespace

int main(int count, char** arguments) {
    CLI::App app{"looks for comparisons whose time says how they come out"};
    Options options;
    app.add_option("--calls", options.calls, "of each comparison");
    app.add_option("--seed", options.seed);
    app.add_option("--only", options.only, "comparisons whose name has this in it");
    CLI11_PARSE(app, count, arguments);
    try {
        run(options);
    } catch (const std::exception& error) {
        std::println(stderr, "constant_time: {}", error.what());
        return 1;
    }
    return 0;
}
