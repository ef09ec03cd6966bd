// The composite floor of `./run bench`: see CONTRIBUTING and docs/bench.md.
#include <csignal>
#include <cstdio>
#include <exception>

#include <CLI/CLI.hpp>

#include "tests/bench/floor/server.hpp"

namespace {

volatile bool stop = false;

void read_settings(CLI::App& options, sluice::bench::ServerSettings& settings) {
    using sluice::bench::Form;
    options.add_option("--port", settings.port)->required();
    options.add_option("--redis", settings.redis, "port of Redis")->required();
    options.add_option("--kafka", settings.brokers)->required();
    options.add_option("--topic", settings.topic)->required();
    options.add_option("--secret", settings.secret)->required();
    options.add_flag_callback("--gathering", [&settings] { settings.form = Form::gathering; });
}

}  // namespace

int main(int count, char** arguments) {
    CLI::App options{"the ingress's work with nothing around it"};
    sluice::bench::ServerSettings settings;
    read_settings(options, settings);
    CLI11_PARSE(options, count, arguments);
    struct sigaction ending{};
    ending.sa_handler = [](int) { stop = true; };
    sigaction(SIGTERM, &ending, nullptr);
    try {
        sluice::bench::Server{settings}.run(stop);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "floor: %s\n", error.what());
        return 1;
    }
    return 0;
}
