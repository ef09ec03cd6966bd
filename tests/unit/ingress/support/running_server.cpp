#include "tests/unit/ingress/support/running_server.hpp"

#include <fcntl.h>
#include <csignal>

#include <format>
#include <semaphore>

#include "ctl/send/signing/signer.hpp"
#include "ingress/config/config.hpp"

namespace sluice::ingress {
namespace {

config::ListenSettings on_any_port(config::ListenSettings listen) {
    listen.address = {"127.0.0.1", 0};
    return listen;
}

int nowhere() {
    static const int descriptor = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    return descriptor;
}

}  // namespace

RunningServer::RunningServer(const std::string& source_settings, config::ListenSettings given,
                             const std::shared_ptr<asio::ssl::context>& tls)
    : listen{on_any_port(std::move(given))},
      sources{test_sources(source_settings)},
      log{{.program = "unit", .descriptor = nowhere()}},
      counters{metrics},
      spans{tracer, {}},
      limits{listen.max_connections, listen.max_connections_per_address},
      clients{listen.clients, metrics},
      common{listen,    trusted_proxies(listen), limits, clients, clock, log, metrics, counters, spans,
             deliveries} {
    std::signal(SIGPIPE, SIG_IGN);  // as StopSignal has it in programs
    const auto equip = [this, &tls](Shard& shard) {
        auto fake_kafka = std::make_unique<FakeKafka>();
        auto fake_redis = std::make_unique<FakeRedis>();
        kafka = fake_kafka.get();
        redis = fake_redis.get();
        shard.publisher = std::move(fake_kafka);
        shard.deduplicator = std::move(fake_redis);
        shard.tls = tls;
    };
    server = std::make_unique<Server>(common, 1);
    server->equip(equip);
    server->use_routes(
        std::make_shared<const Routes>(sources, metrics, listen.clients, listen.max_connections));
    server->start();
}

std::string RunningServer::signed_request(const std::string& body, const std::string& more_fields) const {
    std::string text =
        "POST /v1/webhooks/stripe-eu HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\n";
    ctl::OutgoingRequest request{.target = sources.front()->path, .headers = {}, .body = body};
    const auto key = ctl::SigningKey::of(*sources.front(), clock.wall());
    ctl::Signer{sources.front(), key.value()}.sign(request, clock.wall()).value();
    for (const auto& [name, value] : request.headers) text += std::format("{}: {}\r\n", name, value);
    return text + std::format("Content-Length: {}\r\n{}\r\n{}", body.size(), more_fields, body);
}

void RunningServer::settle() const {
    // What a round sets free runs in the next: bytes are seen, read, answered, and the answer is reported.
    constexpr int rounds = 6;
    for (int round = 0; round < rounds; ++round) {
        std::binary_semaphore reached{0};
        server->on_each([&reached](Shard&) { reached.release(); });
        reached.acquire();
    }
}

void RunningServer::pass(std::chrono::milliseconds time) {
    settle();
    clock.advance(time);
    server->on_each([this](Shard& shard) { shard.deadlines.sweep(clock.steady()); });
    settle();
}

double RunningServer::decisions(const std::string& decision) {
    return metrics
        .counter("sluice_ingress_decisions_total", "", {{"decision", decision}, {"source", "stripe-eu"}})
        .Value();
}

double RunningServer::gate_refusals(const std::string& reason) {
    return metrics.counter("sluice_ingress_gate_refused_total", "", {{"reason", reason}}).Value();
}

std::string event_body(const std::string& id) {
    return std::format(
        R"({{"id":"{}","object":"event","type":"payment_intent.succeeded","created":1789999990,"livemode":false,)"
        R"("data":{{"object":{{"id":"pi_1","amount":100}}}},"pending_webhooks":1}})",
        id);
}

}  // namespace sluice::ingress
