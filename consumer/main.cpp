#include <cstdio>
#include <iostream>
#include <memory>
#include <vector>

#include <CLI/CLI.hpp>

#include "common/config/certificate_gauges.hpp"
#include "common/operations/run_program.hpp"
#include "common/telemetry/process_metrics.hpp"
#include "consumer/command/operator_settings.hpp"
#include "consumer/main_role/main_role.hpp"
#include "consumer/relay_role/relay_role.hpp"
#include "consumer/retry_role/retry_role.hpp"

namespace {

constexpr const char* epilogue = R"(Example:
  sluice-consumer --config /etc/sluice/sluice.yaml --check
  sluice-consumer --config /etc/sluice/sluice.yaml
  sluice-consumer --config /etc/sluice/sluice.yaml --role retry

The main role applies the events of the webhook topic. An event that has to wait is kept in MySQL with those behind it; the retry
role wakes them when they are due. The relay role sends the messages that effects have written (send). Each role needs at least one
process, the relay only where effects send. For small installations, --role both runs all in one.

It reads the sections operations, kafka, mysql, inbox, callbacks, consumer, sources, recipes, effects, destinations, outbox,
operators, log and tracing. Logs are JSON lines on stdout. SIGTERM drains: the process finishes its
transactions, commits offsets and leaves the group.

Exit status: 0 stopped or checked, 1 the process must be restarted, 2 the command line or configuration is wrong.)";

using namespace sluice;

std::pair<webhook::SourceSet, command::Operators> read_of_retry_role(const std::string& file) {
    config::Problems problems;  // whose warnings have been given
    return {consumer::read_sources_with_keys(file, problems), command::operators_in(file)};
}

std::vector<std::unique_ptr<consumer::Role>> make_roles(const std::string& name, const std::string& file,
                                                        consumer::Process& process) {
    std::vector<std::unique_ptr<consumer::Role>> roles;
    const bool is_both = name == "both";
    if (name == "main" || is_both) roles.push_back(std::make_unique<consumer::MainRole>(process));
    if (name == "relay" || is_both) roles.push_back(std::make_unique<consumer::RelayRole>(process));
    if (name == "retry" || is_both) {
        auto [sources, operators] = read_of_retry_role(file);
        roles.push_back(
            std::make_unique<consumer::RetryRole>(process, std::move(sources), std::move(operators)));
    }
    return roles;
}

int run(const std::string& file, const std::string& role, bool check_only) {
    config::Problems problems;
    const auto whose = role == "retry"   ? config::OperationsOf::retry
                       : role == "relay" ? config::OperationsOf::relay
                                         : config::OperationsOf::consumer;
    const consumer::Config config = consumer::read_config(file, whose, problems);
    for (const std::string& warning : problems.warnings()) std::cerr << "warning: " << warning << '\n';
    if (check_only) {
        if (role == "retry" || role == "both") (void)read_of_retry_role(file);
        if (role == "relay" || role == "both") consumer::RelayRole::refuse_bad_secrets(config);
        std::cout << file << ": ok\n";
        return 0;
    }
    StopSignal signal;
    Log log{{.program = "sluice-consumer", .level = config.log.level, .routine = config.log.routine}};
    consumer::Process process{config, log};
    export_process(process.metrics, log, process.readiness, role);
    config::export_certificate(process.metrics, "kafka", config.kafka.tls.cert_file);
    config::follow_certificate(process.metrics, "mysql", config.mysql.tls.cert_file);
    const auto roles = make_roles(role, file, process);
    return run_roles(process, roles, signal);
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{"Applies each event once, in order per object, from Kafka to MySQL.", "sluice-consumer"};
    std::string file;
    std::string role = "main";
    bool check_only = false;
    app.add_option("--config", file, "The configuration file")->required()->envname("SLUICE_CONFIG");
    app.add_option("--role", role, "main, retry, relay or both")
        ->check(CLI::IsMember({"main", "retry", "relay", "both"}))
        ->capture_default_str();
    app.add_flag("--check", check_only,
                 "Check what the role reads of the file, report every problem, and exit");
    app.footer(epilogue);
    return sluice::run_program(app, argc, argv, [&] { return run(file, role, check_only); });
}
