// What the engine's verdict on one request costs, beside a check by hand: processor time of both in turn, as
// JSON; or so many calls of one side and nothing else, for callgrind.
#include <ctime>
#include <print>

#include <CLI/CLI.hpp>

#include "tests/bench/check/pair.hpp"

namespace {

using sluice::bench::Pair;

struct Options {
    std::size_t goes = 50;
    std::string only;
    std::string side;
    std::size_t calls = 0;
};

void describe(CLI::App& app, Options& options) {
    app.add_option("--goes", options.goes, "of each side of each pair, in turn");
    app.add_option("--only", options.only, "the pair whose side is called");
    app.add_option("--side", options.side)->check(CLI::IsMember({"engine", "bare"}));
    app.add_option("--calls", options.calls);
}

std::int64_t thread_nanoseconds() {
    std::timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}

void call(std::move_only_function<bool()>& check, std::size_t times) {
    for (std::size_t i = 0; i < times; ++i)
        if (!check()) throw std::runtime_error{"what is authentic was refused"};
}

/// Nanoseconds of one call.
double cost(std::move_only_function<bool()>& check, std::size_t calls) {
    const std::int64_t before = thread_nanoseconds();
    call(check, calls);
    return static_cast<double>(thread_nanoseconds() - before) / static_cast<double>(calls);
}

void measure(Pair& pair, std::size_t goes) {
    cost(pair.engine, pair.calls);
    cost(pair.bare, pair.calls);
    for (std::size_t go = 0; go < goes; ++go) {
        double engine = 0;
        if (go % 2 == 0) engine = cost(pair.engine, pair.calls);
        const double bare = cost(pair.bare, pair.calls);
        if (go % 2 == 1) engine = cost(pair.engine, pair.calls);
        std::println(R"({{"pair": "{}", "engine_ns": {:.1f}, "bare_ns": {:.1f}}})", pair.name, engine, bare);
    }
}

void run(const Options& options) {
    for (Pair& pair : sluice::bench::pairs(options.only)) {
        if (options.side.empty())
            measure(pair, options.goes);
        else
            call(options.side == "engine" ? pair.engine : pair.bare, options.calls);
    }
}

}  // namespace

int main(int count, char** arguments) {
    CLI::App app{"verdicts of the engine and checks by hand, in turn"};
    Options options;
    describe(app, options);
    CLI11_PARSE(app, count, arguments);
    try {
        run(options);
    } catch (const std::exception& error) {
        std::println(stderr, "check: {}", error.what());
        return 1;
    }
    return 0;
}
