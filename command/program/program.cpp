#include "command/program/program.hpp"

#include <algorithm>
#include <thread>

#include "common/telemetry/process_metrics.hpp"
#include "ingress/connection/descriptors.hpp"

namespace sluice::command {
namespace {

constexpr Milliseconds between_looks{1000};

int thread_count(const config::ListenSettings& listen) {
    return listen.threads > 0 ? listen.threads : config::usable_cpus();
}

/// As many as configured, as long as enough descriptors are left for everything else.
int connections_of(const config::ListenSettings& listen, Log& log) {
    const auto wanted = static_cast<std::uint64_t>(listen.max_connections) + connection::kept_descriptors;
    const std::uint64_t most = connection::allow_descriptors(wanted);
    const int allowed = connection::affordable_connections(listen.max_connections, most);
    if (allowed < listen.max_connections)
        log.warn("connections_limited", {{"max_connections", std::int64_t{listen.max_connections}},
                                         {"allowed", std::int64_t{allowed}},
                                         {"descriptors", static_cast<std::int64_t>(most)}});
    return allowed;
}

}  // namespace

Program::Program(const ServeSettings& settings, const Commands& commands, const MakeExecutor& make, Log& log,
                 StopSignal& signal)
    : settings_{settings},
      log_{log},
      signal_{signal},
      limits_{connections_of(settings.listen, log), settings.listen.max_connections_per_address},
      tracer_{trace::tracer_of(settings.tracing, "sluice-command", clock_, log, metrics_)},
      requests_{log, metrics_, tracer_},
      meters_{metrics_.counter("sluice_command_limits_forgotten_total",
                               "Accounts whose limit was forgotten too early, since there were too many")},
      executor_{make({.log = log, .metrics = metrics_, .readiness = readiness_, .clock = clock_})},
      common_{.listen = settings.listen,
              .bounds = settings.bounds,
              .limits = limits_,
              .clock = clock_,
              .log = log,
              .metrics = metrics_,
              .requests = requests_,
              .commands = commands,
              .meters = meters_,
              .executor = *executor_},
      server_{std::make_unique<Server>(common_, thread_count(settings.listen))},
      reload_{settings.file, settings.callers, [this](const CallerSet& callers) { use_callers(callers); },
              log, metrics_},
      operations_{{.host = settings.operations.address.host,
                   .port = settings.operations.address.port,
                   .key = settings.operations.key},
                  metrics_,
                  readiness_,
                  [] { return true; }} {
    export_process(metrics_, log, readiness_, "command");
    use_callers(settings.callers);
    if (!settings.listen.tls.enabled) return;
    Gauge& failed = metrics_.gauge(
        "sluice_command_certificate_reload_failed",
        "1 while the listener's new certificate, key or client_ca cannot be read and the old ones are kept");
    certificate_ = std::make_unique<ingress::CertificateReload>(
        settings.listen.tls, [this](const Server::Tls& tls) { server_->use_tls(tls); }, log, metrics_,
        ingress::ListenerOf{.failed = &failed, .requires_clients = settings.requires_certificates});
    server_->use_tls(certificate_->tls());
}

Program::~Program() {
    server_->stop();
    // It tells the io_contexts, so they outlive it.
    executor_.reset();
}

int Program::run() {
    server_->start();
    readiness_.set_ready("listener");
    log_.info("listening",
              {{"port", std::int64_t{server_->port()}}, {"operations", std::int64_t{operations_.port()}}});
    while (true) {
        const StopSignal::Event event = signal_.wait(between_looks);
        if (event == StopSignal::Event::stop) break;
        look_for_changes(event == StopSignal::Event::reload);
    }
    const bool clean =
        ingress::drain(*this, {settings_.listen.drain_delay, settings_.listen.drain_within}, clock_);
    log_.info("drained", {{"clean", clean}});
    return clean ? 0 : 1;
}

void Program::use_callers(const CallerSet& callers) {
    requests_.know(callers);
    server_->use_callers(std::make_shared<const Callers>(callers));
}

void Program::look_for_changes(bool in_any_case) {
    if (in_any_case) {
        reload_.force();
        if (certificate_) certificate_->force();
    } else {
        reload_.check();
        if (certificate_) certificate_->check();
    }
}

void Program::refuse_traffic() {
    log_.info("draining", {});
    readiness_.set_unready("drain", "the process is stopping");
    server_->end_connections_by_replies();
}

/// A key that is rolled now still signs what comes.
void Program::serve_for(Milliseconds time) {
    const SteadyTime end = clock_.steady() + time;
    while (clock_.steady() < end) {
        const auto left = std::chrono::ceil<Milliseconds>(end - clock_.steady());
        look_for_changes(signal_.wait(std::min<Milliseconds>(left, between_looks)) ==
                         StopSignal::Event::reload);
    }
}

void Program::wait(Milliseconds time) {
    std::this_thread::sleep_for(time);
}

}  // namespace sluice::command
