#include <iostream>
#include <utility>

#include <CLI/CLI.hpp>

#include "common/joined.hpp"
#include "common/operations/run_program.hpp"
#include "ingress/ingress.hpp"

namespace {

constexpr const char* epilogue = R"(Example:
  sluice-ingress --config /etc/sluice/sluice.yaml --check
  sluice-ingress --config /etc/sluice/sluice.yaml

It reads the sections listen, operations, kafka, redis, callbacks, spill, sources, recipes, log and tracing; --check names those of the
file that it does not judge. Logs are JSON lines on stdout.
SIGTERM drains. SIGHUP reads the sources and the listener's certificate again; so does a change of the
file, of a secret or of the certificate.

Exit status: 0 stopped or checked; 1 a port is in use, or draining took too long; 2 the command line or the
configuration is wrong.)";

int run(const std::string& file, bool check_only) {
    using namespace sluice;
    config::Problems problems;
    ingress::Config config = ingress::read_config(file, problems);
    for (const std::string& warning : problems.warnings()) std::cerr << "warning: " << warning << '\n';
    if (check_only) {
        std::cout << file << ": ok\n";
        if (!config.unread.empty())
            std::cerr << "not judged here: " << joined(config.unread, ", ")
                      << "; sluice-consumer --check judges them\n";
        return 0;
    }
    StopSignal signal;  // before any thread, so that all inherit what it blocks
    Log log{{.program = "sluice-ingress", .level = config.log.level, .routine = config.log.routine}};
    ingress::Ingress ingress{config, std::exchange(config.sources, {}), file, log, signal};
    return ingress.run();
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{
        "Receives webhooks: verifies them, publishes them to Kafka and answers when the broker has them.",
        "sluice-ingress"};
    std::string file;
    bool check_only = false;
    app.add_option("--config", file, "The configuration file")->required()->envname("SLUICE_CONFIG");
    app.add_flag("--check", check_only, "Check the configuration, report every problem, and exit");
    app.footer(epilogue);
    return sluice::run_program(app, argc, argv, [&] { return run(file, check_only); });
}
