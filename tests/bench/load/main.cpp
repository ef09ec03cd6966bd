// The load generator of `./run bench`: signed requests, closed or open loop; the figures as one JSON object.
#include <cstdio>
#include <exception>
#include <map>
#include <string>

#include <CLI/CLI.hpp>

#include "tests/bench/load/sender.hpp"

namespace {

using sluice::bench::Mode;
using sluice::bench::Plan;

struct Options {
    Plan plan;
    std::string path;
    std::string secret;
    std::string run;
    Mode mode = Mode::fresh;
};

void describe(CLI::App& app, Options& options) {
    const std::map<std::string, Mode> modes{
        {"fresh", Mode::fresh}, {"duplicate", Mode::duplicate}, {"forged", Mode::forged}};
    app.add_option("--port", options.plan.port)->required();
    app.add_option("--path", options.path)->required();
    app.add_option("--secret", options.secret)->required();
    app.add_option("--run", options.run, "8 characters, part of every id")->required();
    app.add_option("--mode", options.mode)->transform(CLI::CheckedTransformer(modes));
    app.add_option("--connections", options.plan.connections);
    app.add_option("--rate", options.plan.rate, "requests per second; 0: closed loop");
    app.add_option("--warm-up", options.plan.warm_up, "seconds");
    app.add_option("--seconds", options.plan.seconds, "the measured window");
    app.add_option("--known", options.plan.known, "events that duplicates are taken from");
    app.add_option("--most", options.plan.most, "requests in all");
    app.add_option("--process", options.plan.process, "whose processor time is read");
    app.add_option("--clients", options.plan.clients,
                   "addresses of 127.1.0.0/16 that the connections come from");
    app.add_option("--first-client", options.plan.first_client, "the first of them");
    app.add_flag("--floods", options.plan.floods, "opens again, without end, what the server ends");
    app.add_flag("--anew", options.plan.anew, "a new connection for each request");
}

}  // namespace

int main(int count, char** arguments) {
    CLI::App app{"sends signed webhooks and measures who answers them"};
    Options options;
    describe(app, options);
    CLI11_PARSE(app, count, arguments);
    try {
        sluice::bench::Deliveries deliveries{options.path, options.secret, options.run, options.mode,
                                             options.plan.known};
        sluice::bench::Sender sender{options.plan, deliveries};
        const sluice::bench::Window window = sender.run();
        std::puts(printed(sender.tally(), window).c_str());
    } catch (const std::exception& error) {
        std::fprintf(stderr, "load: %s\n", error.what());
        return 1;
    }
    return 0;
}
