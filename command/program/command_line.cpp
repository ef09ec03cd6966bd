#include "command/program/command_line.hpp"

#include <iostream>
#include <map>

#include <CLI/CLI.hpp>

#include "common/operations/run_program.hpp"

namespace sluice::command {
namespace {

constexpr const char* epilogue = R"(Example:
  sluice-command --config /etc/sluice/sluice.yaml --check
  sluice-command --config /etc/sluice/sluice.yaml
  sluice-command --config /etc/sluice/sluice.yaml --role book

Your services send commands with an idempotency key: each is executed once, and later requests with its key
get the first response. Any number of processes may run. Commands of hot accounts go through Kafka: --role serve
takes requests and puts those there, --role book executes what is there, both does both.

It reads the sections operations, callers, command, commands, mysql, destinations, tracing and log; kafka
where a command has hot accounts, and redis where a call is recorded there. --role book takes no requests: it
reads no callers, tracing, redis or keys of calls, and nothing of command that is about connections. Logs are
JSON lines on stdout. SIGTERM drains: requests in progress are answered, and what is executed is finished.
SIGHUP, or a file that has changed, brings new callers and certificates; the rest stays.

Exit status: 0 stopped or checked; 1 a port is in use, or draining took too long; 2 the command line or the
configuration is wrong.)";

int run(const std::string& file, Role role, bool check_only, const Assemble& assemble) {
    config::Problems problems;
    const Assembly assembly = assemble(file, role, problems);
    for (const std::string& warning : problems.warnings()) std::cerr << "warning: " << warning << '\n';
    if (check_only) {
        std::cout << file << ": ok\n";
        return 0;
    }
    StopSignal signal;  // before any thread, so that all inherit what it blocks
    Log log{{.program = "sluice-command", .level = assembly.log.level, .routine = assembly.log.routine}};
    if (role == Role::book) return run_booking(assembly.serve.operations, assembly.book, log, signal);
    Program program{assembly.serve, *assembly.commands, assembly.make, log, signal};
    return program.run();
}

std::map<std::string, Role> roles() {
    return {{"serve", Role::serve}, {"book", Role::book}, {"both", Role::both}};
}

}  // namespace

int run_command_line(int argc, char** argv, const Assemble& assemble) {
    CLI::App app{
        "Executes commands of your services once each, and tells the first response again and again.",
        "sluice-command"};
    std::string file;
    std::string role = "both";
    bool check_only = false;
    app.add_option("--config", file, "The configuration file")->required()->envname("SLUICE_CONFIG");
    app.add_option("--role", role, "serve, book or both (default both)")->check(CLI::IsMember(roles()));
    app.add_flag("--check", check_only, "Check what it reads of the file, report every problem, and exit");
    app.footer(epilogue);
    return run_program(app, argc, argv, [&] { return run(file, roles().at(role), check_only, assemble); });
}

}  // namespace sluice::command
