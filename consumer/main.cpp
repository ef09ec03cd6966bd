#include <cstdio>
#include <iostream>

#include <CLI/CLI.hpp>

#include "common/version.hpp"
#include "consumer/consumer.hpp"

namespace {

constexpr const char* epilogue = R"(Example:
  sluice-consumer --config /etc/sluice/sluice.yaml --check
  sluice-consumer --config /etc/sluice/sluice.yaml

It reads the sections operations, kafka, mysql, inbox, consumer, sources, recipes, effects and log. Logs are JSON lines on
stdout. SIGTERM drains: transactions are finished, offsets committed, the group is left.

Exit status: 0 stopped or checked, 1 only a new process can go on, 2 the command line or configuration is wrong.)";

int run(const std::string& file, bool check_only) {
    using namespace sluice;
    config::Problems problems;
    const consumer::Config config = consumer::read_config(file, problems);
    for (const std::string& warning : problems.warnings()) std::cerr << "warning: " << warning << '\n';
    if (check_only) {
        std::cout << file << ": ok\n";
        return 0;
    }
    StopSignal signal;
    Log log{{.program = "sluice-consumer", .level = config.log_level}};
    consumer::Consumer consumer{config, log, signal};
    return consumer.run();
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{"Applies each event once, in order per object, from Kafka to MySQL.", "sluice-consumer"};
    std::string file;
    bool check_only = false;
    app.add_option("--config", file, "The configuration file")->required()->envname("SLUICE_CONFIG");
    app.add_flag("--check", check_only, "Read the configuration, report every problem, and end");
    app.set_version_flag("--version", sluice::version);
    app.footer(epilogue);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    try {
        return run(file, check_only);
    } catch (const sluice::config::Refused& refused) {
        std::cerr << refused.what() << '\n';
        return 2;
    } catch (const std::exception& error) {
        std::cerr << "sluice-consumer: " << error.what() << '\n';
        return 1;
    }
}
