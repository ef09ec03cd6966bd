#include <iostream>

#include <CLI/CLI.hpp>

#include "common/operations/run_program.hpp"
#include "common/stop_signal.hpp"
#include "poller/config/config.hpp"
#include "poller/program/poller.hpp"
#include "poller/reconcile/command.hpp"

namespace {

constexpr const char* epilogue = R"(Example:
  sluice-poller --config /etc/sluice/sluice.yaml --check
  sluice-poller --config /etc/sluice/sluice.yaml
  sluice-poller --config /etc/sluice/sluice.yaml --once
  sluice-poller reconcile --config /etc/sluice/sluice.yaml --source stripe-eu-list --from 7d

It reads the lists of the sources that have poll, and publishes their events as the ingress publishes webhooks. MySQL
keeps how far each list was read. Any number of processes may run: one at a time walks a source, the others stand by.
With --once it ends when each source has nothing new, for a job that runs on a schedule.

It reads the sections operations, kafka, redis, mysql, inbox, sources, recipes and log. Logs are JSON lines on stdout.
SIGTERM drains: a request is broken off, a page that is being published is finished, and the lease is given back.

Exit status: 0 stopped, caught up or checked; 1 the process must be restarted, or with --once a source is in
trouble; 2 the command line or the configuration is wrong.)";

int run(const std::string& file, bool check_only, bool once) {
    using namespace sluice;
    config::Problems problems;
    const poller::Config config = poller::read_config(file, problems);
    for (const std::string& warning : problems.warnings()) std::cerr << "warning: " << warning << '\n';
    if (check_only) {
        std::cout << file << ": ok\n";
        return 0;
    }
    StopSignal signal;  // before any thread, so that all inherit what it blocks
    Log log{{.program = "sluice-poller", .level = config.log.level, .routine = config.log.routine}};
    poller::Poller program{config, log};
    return program.run(signal,
                       once ? poller::SourceWalk::Until::caught_up : poller::SourceWalk::Until::stopped);
}

}  // namespace

int main(int argc, char** argv) {
    using namespace sluice;
    CLI::App app{"Reads events from providers' lists and publishes them to Kafka.", "sluice-poller"};
    std::string file;
    bool check_only = false;
    bool once = false;
    poller::ReconcileOptions reconcile;
    app.add_option("--config", file, "The configuration file")->required()->envname("SLUICE_CONFIG");
    app.add_flag("--check", check_only, "Check what it reads of the file, report every problem, and exit");
    app.add_flag("--once", once, "End when each source has nothing new");
    app.footer(epilogue);
    const CLI::App& reconciling = poller::add_reconcile(app, reconcile);
    return run_program(app, argc, argv, [&] {
        return reconciling.parsed() ? poller::run_reconcile(file, reconcile) : run(file, check_only, once);
    });
}
