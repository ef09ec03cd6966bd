// Sends one request as it is, over and over, and says what that cost sender and server: CPU time as one JSON
// object.
#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <exception>
#include <format>
#include <fstream>
#include <iterator>
#include <numeric>
#include <ranges>
#include <string>

#include <CLI/CLI.hpp>

#include "tests/bench/load/processor_time.hpp"
#include "tests/bench/probe/connection.hpp"

namespace {

using sluice::bench::ProbeConnection;
using sluice::bench::ProbeTally;
using Clock = std::chrono::steady_clock;

struct Options {
    std::uint16_t port = 0;
    std::string request;
    std::size_t answers = 1;
    std::size_t piece = 0;
    std::size_t connections = 8;
    double seconds = 1;
    int process = 0;
};

void describe(CLI::App& app, Options& options) {
    app.add_option("--port", options.port)->required();
    app.add_option("--request", options.request, "file with the bytes")->required();
    app.add_option("--answers", options.answers, "how many the bytes draw; 0: the sender goes away");
    app.add_option("--piece", options.piece, "bytes in each write; 0: all");
    app.add_option("--connections", options.connections);
    app.add_option("--seconds", options.seconds);
    app.add_option("--process", options.process, "the server's")->required();
}

std::string content_of(const std::string& file) {
    std::ifstream stream{file, std::ios::binary};
    return {std::istreambuf_iterator<char>{stream}, {}};
}

std::int64_t own_microseconds() {
    timespec used{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return used.tv_sec * 1'000'000 + used.tv_nsec / 1000;
}

std::int64_t server_microseconds(int process) {
    const auto threads = sluice::bench::thread_microseconds(process);
    const auto used = threads | std::views::values;
    return std::accumulate(used.begin(), used.end(), std::int64_t{0});
}

/// All connections send, then all are read: what waits for whom is shared among as many requests on both
/// sides.
std::uint64_t send_until(Clock::time_point end, std::vector<ProbeConnection>& connections,
                         const std::string& request, const Options& options) {
    std::uint64_t sent = 0;
    while (Clock::now() < end) {
        for (ProbeConnection& connection : connections) connection.send(request, options.piece);
        for (ProbeConnection& connection : connections) connection.read(options.answers);
        sent += connections.size();
    }
    return sent;
}

void run(const Options& options) {
    const std::string request = content_of(options.request);
    ProbeTally tally;
    std::vector<ProbeConnection> connections;
    for (std::size_t i = 0; i < options.connections; ++i) connections.emplace_back(options.port, tally);
    const auto length =
        std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>{options.seconds});
    send_until(Clock::now() + length / 5, connections, request, options);
    tally = {};
    const std::int64_t server = server_microseconds(options.process);
    const std::int64_t own = own_microseconds();
    const std::uint64_t sent = send_until(Clock::now() + length, connections, request, options);
    const std::int64_t own_used = own_microseconds() - own;
    std::string answers;
    for (const auto& [status, count] : tally.answers)
        answers += std::format("{}\"{}\": {}", answers.empty() ? "" : ", ", status, count);
    std::puts(
        std::format(
            R"({{"sent": {}, "bytes": {}, "connects": {}, "answers": {{{}}}, "sender_us": {}, "server_us": {}}})",
            sent, request.size(), tally.connects, answers, own_used,
            server_microseconds(options.process) - server)
            .c_str());
}

}  // namespace

int main(int count, char** arguments) {
    CLI::App app{"sends one request as it is and measures what it costs both sides"};
    Options options;
    describe(app, options);
    CLI11_PARSE(app, count, arguments);
    try {
        run(options);
    } catch (const std::exception& failure) {
        std::fprintf(stderr, "probe: %s\n", failure.what());
        return 1;
    }
    return 0;
}
