#include "ingress/ingress.hpp"

#include <algorithm>
#include <thread>

#include <boost/asio/post.hpp>

#include "common/config/certificate_gauges.hpp"
#include "common/record/marker_key.hpp"
#include "common/telemetry/process_metrics.hpp"
#include "common/webhook/source_file/key_derivation.hpp"
#include "ingress/connection/descriptors.hpp"
#include "ingress/dedup/redis_deduplicator.hpp"
#include "ingress/publish/kafka_publisher.hpp"

namespace sluice::ingress {
namespace {

constexpr std::chrono::milliseconds watch_every{1000};

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

Ingress::Ingress(const Config& config, const webhook::SourceSet& sources, std::string file, Log& log,
                 StopSignal& signal)
    : config_{config},
      log_{log},
      signal_{signal},
      limits_{connections_of(config.listen, log), config.listen.max_connections_per_address},
      clients_{config.listen.clients, metrics_},
      counters_{metrics_},
      tracer_{trace::tracer_of(config.tracing, "sluice-ingress", clock_, log, metrics_)},
      spans_{tracer_, config.kafka},
      common_{config.listen,
              trusted_proxies(config.listen),
              limits_,
              clients_,
              clock_,
              log,
              metrics_,
              counters_,
              spans_,
              deliveries_,
              config.kafka.headers},
      spill_{config.spill.path.empty() ? nullptr
                                       : std::make_unique<spill::Spill>(config.spill, clock_, log, metrics_)},
      producer_{std::make_unique<publish::KafkaProducer>(config.kafka, clock_, log, metrics_, readiness_)},
      reload_{std::move(file),
              config.fingerprint,
              webhook::keys_of(sources),
              [this](const webhook::SourceSet& others) { use(others); },
              log,
              metrics_},
      operations_{{.host = config.operations.address.host,
                   .port = config.operations.address.port,
                   .key = config.operations.key},
                  metrics_,
                  readiness_,
                  [] { return true; }} {
    export_process(metrics_, log, readiness_, "ingress");
    config::export_certificate(metrics_, "kafka", config.kafka.tls.cert_file);
    config::follow_certificate(metrics_, "redis", config.redis.tls.cert_file);
    if (config.listen.tls.enabled)
        certificate_ = std::make_unique<CertificateReload>(
            config.listen.tls, [this](const CertificateReload::Tls& tls) { use(tls); }, log, metrics_);
    if (config.callbacks.recorded)
        callbacks_ = std::make_unique<callbacks::CallbackSender>(config.kafka, clock_, log, metrics_);
    if (spill_ && spill_->found_any()) producer_->expect_outage();
    server_ = std::make_unique<Server>(common_, thread_count(config.listen));
    server_->equip([this](Shard& shard) { equip(shard); });
    if (spill_) connect_spill(server_->first());
    use(sources);
    if (config.redis.servers.empty())
        log.warn("dedup_off", {{"why", std::string_view{"redis.urls is empty: every event is published"}}});
    metrics_.gauge("sluice_ingress_dedup_off", "1 when no Redis is configured")
        .Set(config.redis.servers.empty() ? 1 : 0);
}

Ingress::~Ingress() {
    watch_.reset();
    server_->stop();
    if (spill_) spill_->stop();
    // It reports to the io_contexts, so they outlive it.
    producer_.reset();
    server_.reset();
}

void Ingress::equip(Shard& shard) {
    if (callbacks_) shard.callbacks = std::make_unique<callbacks::CallbackLog>(*callbacks_);
    if (certificate_) shard.tls = certificate_->tls();
    if (config_.redis.servers.empty())
        shard.deduplicator = std::make_unique<dedup::NoDeduplicator>();
    else
        equip_with_redis(shard);
    auto late_ack = [&shard](const dedup::Marker& marker) { shard.deduplicator->confirm(marker); };
    shard.publisher =
        std::make_unique<publish::KafkaPublisher>(shard.io, *producer_, shard.deadlines, clock_, late_ack);
    if (spill_)
        shard.publisher = spill_->over(std::move(shard.publisher), shard.io, shard.deadlines, *producer_);
}

/// What the drain brings to Kafka is confirmed by one shard, for all.
void Ingress::connect_spill(Shard& shard) {
    auto confirm = [&shard](const dedup::Marker& marker) {
        asio::post(shard.io, [&shard, marker] { shard.deduplicator->confirm(marker); });
    };
    spill_->connect(*producer_, std::move(confirm), [this] { wants_originals_ = true; });
}

void Ingress::equip_with_redis(Shard& shard) {
    auto redis = std::make_unique<dedup::RedisDeduplicator>(shard.io, config_.redis, clock_, log_, metrics_);
    redis->start();
    shard.deduplicator = std::move(redis);
}

void Ingress::topics_seen(const std::optional<publish::Topics>& topics) {
    // Without the topic no marker counts: the record it is about is gone.
    std::string epoch;
    if (topics) {
        producer_->adopt(*topics);
        epoch = record::marker_epoch(topics->events.cluster_id, topics->events.topic_id, config_.redis.epoch);
    }
    if (epoch == epoch_) return;
    epoch_ = std::move(epoch);
    server_->on_each([epoch = epoch_](Shard& shard) { shard.deduplicator->use_epoch(epoch); });
}

void Ingress::use(const webhook::SourceSet& sources) {
    const auto needs_originals = [](const auto& source) { return source->has_items; };
    if (std::ranges::any_of(sources, needs_originals)) wants_originals_ = true;
    server_->use_routes(
        std::make_shared<const Routes>(sources, metrics_, config_.listen.clients, limits_.in_all()));
}

void Ingress::use(const CertificateReload::Tls& tls) {
    server_->on_each([tls](Shard& shard) { shard.tls = tls; });
}

void Ingress::look_for_changes(bool in_any_case) {
    if (in_any_case)
        reload_.force();
    else
        reload_.check();
    if (!certificate_) return;
    if (in_any_case)
        certificate_->force();
    else
        certificate_->check();
}

/// Not in the constructor: a thread that cannot be started must find the order of ~Ingress.
void Ingress::start() {
    watch_ = std::make_unique<publish::TopicWatch>(
        config_.kafka, log_, metrics_, readiness_, wants_originals_,
        [this](const std::optional<publish::Topics>& topics) { topics_seen(topics); }, ingress_program,
        spill_ && spill_->found_any());
    if (spill_) spill_->start();
    server_->start();
    log_.info("listening",
              {{"port", std::int64_t{server_->port()}}, {"operations", std::int64_t{operations_.port()}}});
}

int Ingress::run() {
    start();
    while (true) {
        const StopSignal::Event event = signal_.wait(watch_every);
        if (event == StopSignal::Event::stop) break;
        look_for_changes(event == StopSignal::Event::reload);
    }
    const bool clean = drain(*this, {config_.listen.drain_delay, config_.listen.drain_within}, clock_);
    log_.info("drained", {{"clean", clean}});
    return clean ? 0 : 1;
}

void Ingress::refuse_traffic() {
    log_.info("draining", {});
    readiness_.set_unready("drain", "the process is stopping");
    server_->end_connections_by_answers();
}

/// A key that is rotated now still signs what comes.
void Ingress::serve_for(Milliseconds time) {
    const SteadyTime end = clock_.steady() + time;
    while (clock_.steady() < end) {
        const auto left = std::chrono::ceil<Milliseconds>(end - clock_.steady());
        look_for_changes(signal_.wait(std::min<Milliseconds>(left, watch_every)) ==
                         StopSignal::Event::reload);
    }
}

/// And the last confirmations leave with it.
bool Ingress::flush(Milliseconds within) {
    bool flushed = true;
    if (spill_)
        finish_spill(within);
    else
        flushed = producer_->flush(within);
    wait(dedup::RedisConnection::told_within);
    return flushed;
}

/// What is left stays in the journal, and the next process brings it to Kafka. What the producer still has is
/// safe, or nobody was answered for it.
void Ingress::finish_spill(Milliseconds within) {
    if (const std::size_t left = spill_->finish(within); left > 0)
        log_.warn("spill_left", {{"records", static_cast<std::int64_t>(left)}});
}

void Ingress::wait(Milliseconds time) {
    std::this_thread::sleep_for(time);
}

}  // namespace sluice::ingress
