#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include "common/clock.hpp"
#include "common/operations/operations_server.hpp"
#include "common/stop_signal.hpp"
#include "common/telemetry/log.hpp"
#include "common/telemetry/metrics.hpp"
#include "common/telemetry/readiness.hpp"
#include "ingress/config/certificate_reload.hpp"
#include "ingress/config/config.hpp"
#include "ingress/config/sources_reload.hpp"
#include "ingress/connection/limits.hpp"
#include "ingress/connection/stream.hpp"
#include "ingress/drain.hpp"
#include "ingress/publish/kafka_producer.hpp"
#include "ingress/publish/topic_watch.hpp"
#include "ingress/request/delivery_watch.hpp"
#include "ingress/server.hpp"
#include "ingress/spill/spill.hpp"

namespace sluice::ingress {

/// The program: everything that lives as long as the process, in the order in which it must be destroyed.
/// Throws std::runtime_error from the constructor where a port or a file cannot be used, and
/// std::system_error from `run` where no thread can be started.
class Ingress final : private Drainage {
public:
    /// `sources` are kept only until others replace them: then their keys are wiped.
    Ingress(const Config& config, const webhook::SourceSet& sources, std::string file, Log& log,
            StopSignal& signal);
    ~Ingress() override;

    /// Serves until a stop signal, then drains. The process's exit status.
    [[nodiscard]] int run();

private:
    void equip(Shard& shard);
    void equip_with_redis(Shard& shard);
    void connect_spill(Shard& shard);
    void topics_seen(const std::optional<publish::Topics>& topics);
    void use(const webhook::SourceSet& sources);
    void use(const CertificateReload::Tls& tls);
    void look_for_changes(bool in_any_case);
    void start();

    void refuse_traffic() override;
    void serve_for(Milliseconds time) override;
    void stop_accepting() override { server_->stop_accepting(); }
    [[nodiscard]] bool is_quiet() override { return server_->open_connections() == 0; }
    void cut() override { server_->cut_connections(); }
    [[nodiscard]] bool flush(Milliseconds within) override;
    void wait(Milliseconds time) override;
    void finish_spill(Milliseconds within);

    const Config& config_;
    Log& log_;
    StopSignal& signal_;
    SystemClock clock_;
    Metrics metrics_;
    Readiness readiness_;
    connection::Limits limits_;
    ClientMeters clients_;
    DecisionCounters counters_;
    trace::Tracer tracer_;
    RequestSpans spans_;
    DeliveryWatch deliveries_;
    Common common_;
    std::unique_ptr<callbacks::CallbackSender>
        callbacks_;                        // null: they are not recorded. Outlives the server
    std::unique_ptr<spill::Spill> spill_;  // null: nothing is spilled. Outlives the server
    // The server is made with the producer and outlives it, also when a constructor below throws.
    std::unique_ptr<Server> server_;
    std::unique_ptr<publish::KafkaProducer> producer_;
    std::atomic<bool> wants_originals_{false};  // once set, for good: a source that sent to it may send again
    std::unique_ptr<publish::TopicWatch> watch_;
    std::string epoch_;  // the watch's thread
    SourcesReload reload_;
    std::unique_ptr<CertificateReload> certificate_;  // null: no TLS
    OperationsServer operations_;
};

}  // namespace sluice::ingress
