#include "tests/unit/command/http/running_commands.hpp"

#include <fcntl.h>

#include <cstdlib>
#include <format>
#include <semaphore>
#include <stdexcept>
#include <utility>

#include "ctl/send/signing/signer.hpp"

namespace sluice::command {
namespace {

constexpr std::chrono::seconds start_of_time{1'790'000'000};
constexpr std::chrono::seconds patience{20};

config::ListenSettings on_any_port(config::ListenSettings listen) {
    listen.address = {"127.0.0.1", 0};
    return listen;
}

int nowhere() {
    static const int descriptor = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    return descriptor;
}

}  // namespace

WallTime HandMovedClock::wall() const {
    const std::scoped_lock lock{mutex_};
    return WallTime{start_of_time + since_start_};
}

SteadyTime HandMovedClock::steady() const {
    const std::scoped_lock lock{mutex_};
    return SteadyTime{std::chrono::hours{1} + since_start_};
}

void HandMovedClock::advance(Milliseconds by) {
    const std::scoped_lock lock{mutex_};
    since_start_ += by;
}

bool TwoCommands::exists(std::string_view name) const {
    return name == "charge" || name == "click" || name == "rare";
}

bool TwoCommands::takes_key_from_body(std::string_view name) const {
    return name == "click";
}

std::expected<std::string, std::string> TwoCommands::key_of(std::string_view, std::string_view body) const {
    if (body.empty()) return std::unexpected{"The body lacks /click_id."};
    return std::string{body};
}

std::expected<std::optional<metering::Metered>, std::string> TwoCommands::account(
    std::string_view name, std::string_view, std::string_view body) const {
    if (name != "rare") return std::nullopt;
    if (body.empty()) return std::unexpected{"The body lacks /account."};
    return metering::Metered{crypto::sha256(body), {.every = std::chrono::hours{1}, .burst = 1}};
}

std::expected<crypto::Digest, std::string> TwoCommands::fingerprint(std::string_view,
                                                                    std::string_view body) const {
    if (body.starts_with("[")) return std::unexpected{"The body lacks /amount."};
    return crypto::sha256(body);
}

void ScriptedExecutor::execute(Request request, Done done) {
    Answer answer;
    {
        const std::scoped_lock lock{mutex_};
        requests_.push_back(std::move(request));
        taken_.notify_all();
        if (holds_) return waiting_.push_back(std::move(done));
        answer = answer_;
    }
    done(answer);
}

void ScriptedExecutor::look_up(Key key, SteadyTime, Found found) {
    std::expected<Standing, std::string> standing;
    {
        const std::scoped_lock lock{mutex_};
        looked_up_.push_back(std::move(key));
        standing = standing_;
    }
    found(standing);
}

void ScriptedExecutor::answer_with(Answer answer) {
    const std::scoped_lock lock{mutex_};
    answer_ = std::move(answer);
}

void ScriptedExecutor::find(std::expected<Standing, std::string> standing) {
    const std::scoped_lock lock{mutex_};
    standing_ = std::move(standing);
}

void ScriptedExecutor::hold() {
    const std::scoped_lock lock{mutex_};
    holds_ = true;
}

void ScriptedExecutor::wait_for(std::size_t requests) {
    std::unique_lock lock{mutex_};
    const bool came = taken_.wait_for(lock, patience, [&] { return requests_.size() >= requests; });
    if (!came) throw std::runtime_error{"the executor was not asked"};
}

void ScriptedExecutor::let_go(const Answer& answer) {
    std::vector<Done> all;
    {
        const std::scoped_lock lock{mutex_};
        holds_ = false;
        all = std::exchange(waiting_, {});
    }
    for (const Done& done : all) done(answer);
}

std::vector<Request> ScriptedExecutor::requests() const {
    const std::scoped_lock lock{mutex_};
    return requests_;
}

std::vector<Key> ScriptedExecutor::looked_up() const {
    const std::scoped_lock lock{mutex_};
    return looked_up_;
}

CallerSet callers_of(const std::string& text) {
    ::setenv("SLUICE_UNIT_CALLER_KEY", "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=", 1);
    config::Problems problems;
    const auto document = config::Document::from_text("callers:\n" + text, "test.yaml", problems);
    CallerSet callers = read_callers(document, problems);
    if (problems.any()) throw std::runtime_error{problems.report()};
    return callers;
}

RunningCommands::RunningCommands(const config::ListenSettings& given, RequestBounds bounds,
                                 const std::string& list)
    : listen{on_any_port(given)},
      log{{.program = "unit", .descriptor = nowhere()}},
      requests{log, metrics, tracer},
      limits{listen.max_connections, listen.max_connections_per_address},
      sources{callers_of(list)},
      meters{metrics.counter("forgotten_total", "")},
      executor{std::make_unique<ScriptedExecutor>()},
      common{.listen = listen,
             .bounds = bounds,
             .limits = limits,
             .clock = clock,
             .log = log,
             .metrics = metrics,
             .requests = requests,
             .commands = commands,
             .meters = meters,
             .executor = *executor},
      server{std::make_unique<Server>(common, 1)} {
    server->use_callers(std::make_shared<const Callers>(sources));
    server->start();
}

RunningCommands::~RunningCommands() {
    server->stop();
    executor.reset();
}

std::string RunningCommands::signature(std::string_view method, std::string_view target,
                                       std::string_view key_field, std::string_view body) const {
    ctl::OutgoingRequest request{.target = std::string{target},
                                 .headers = {},
                                 .body = signed_prefix(method, target, key_field) + std::string{body}};
    const auto key = ctl::SigningKey::of(*sources.front().signature, clock.wall());
    ctl::Signer{sources.front().signature, key.value()}.sign(request, clock.wall()).value();
    std::string fields = "Sluice-Caller: ads\r\n";
    for (const auto& [name, value] : request.headers) fields += std::format("{}: {}\r\n", name, value);
    return fields;
}

std::string RunningCommands::post(std::string_view target, std::string_view key_field, std::string_view body,
                                  const std::string& more_fields) const {
    const std::string key =
        key_field.empty() ? std::string{} : std::format("Idempotency-Key: {}\r\n", key_field);
    return std::format(
        "POST {} HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\n{}{}{}Content-Length: "
        "{}\r\n\r\n{}",
        target, key, signature("POST", target, key_field, body), more_fields, body.size(), body);
}

std::string RunningCommands::get(std::string_view target) const {
    return std::format("GET {} HTTP/1.1\r\nHost: test\r\n{}\r\n", target, signature("GET", target, "", ""));
}

void RunningCommands::settle() const {
    // What a round sets free runs in the next: bytes are seen, read, answered, and the answer is reported.
    constexpr int rounds = 8;
    for (int round = 0; round < rounds; ++round) {
        std::binary_semaphore reached{0};
        server->on_each([&reached](Shard&) { reached.release(); });
        reached.acquire();
    }
}

void RunningCommands::pass(Milliseconds time) {
    settle();
    clock.advance(time);
    server->on_each([this](Shard& shard) { shard.deadlines.sweep(clock.steady()); });
    settle();
}

}  // namespace sluice::command
