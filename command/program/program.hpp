#pragma once

#include <functional>
#include <memory>

#include "command/http/server.hpp"
#include "command/program/callers_reload.hpp"
#include "command/program/serve_settings.hpp"
#include "common/clock.hpp"
#include "common/config/settings/connections.hpp"
#include "common/operations/operations_server.hpp"
#include "common/stop_signal.hpp"
#include "common/telemetry/log.hpp"
#include "common/telemetry/metrics.hpp"
#include "common/telemetry/readiness.hpp"
#include "ingress/config/certificate_reload.hpp"
#include "ingress/drain.hpp"

namespace sluice::command {

/// What an executor reports with. Outlives it.
struct Surroundings {
    Log& log;
    Metrics& metrics;
    Readiness& readiness;
    const Clock& clock;
};

/// Serves commands until a stop signal: connections, executor and operations port of one process.
class Program final : private ingress::Drainage {
public:
    using MakeExecutor = std::function<std::unique_ptr<Executor>(const Surroundings&)>;

    /// All but `make` outlive it. Binds at once; throws std::runtime_error that names what could not be used.
    Program(const ServeSettings& settings, const Commands& commands, const MakeExecutor& make, Log& log,
            StopSignal& signal);
    ~Program() override;

    /// Serves until a stop signal, then drains. The process's exit status: 1 where something was cut.
    [[nodiscard]] int run();

private:
    void use_callers(const CallerSet& callers);
    void look_for_changes(bool in_any_case);
    void refuse_traffic() override;
    void serve_for(Milliseconds time) override;
    void stop_accepting() override { server_->stop_accepting(); }
    [[nodiscard]] bool is_quiet() override { return server_->open_connections() == 0; }
    void cut() override { server_->cut_connections(); }
    /// What an executor has can be looked up. It ends it when it is destroyed, calls after their own time.
    [[nodiscard]] bool flush(Milliseconds) override { return true; }
    void wait(Milliseconds time) override;

    const ServeSettings& settings_;
    Log& log_;
    StopSignal& signal_;
    SystemClock clock_;
    Metrics metrics_;
    Readiness readiness_;
    connection::Limits limits_;
    trace::Tracer tracer_;
    RequestLog requests_;
    metering::Meters meters_;
    std::unique_ptr<Executor> executor_;
    Common common_;
    std::unique_ptr<Server> server_;
    CallersReload reload_;
    std::unique_ptr<ingress::CertificateReload> certificate_;  // null: no TLS
    OperationsServer operations_;
};

}  // namespace sluice::command
