#include "tests/unit/ingress/spill/spilling.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <cstdlib>

#include <algorithm>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/executor_work_guard.hpp>

#include "ingress/asio/rendezvous.hpp"

namespace sluice::spill {
namespace {

using namespace std::chrono_literals;

/// Folders for temporary files often lie in memory.
const int anywhere = ::setenv("SLUICE_FAILPOINTS", "ingress.spill_anywhere=error", 0);

/// Says of one value later what the other Kafka says.
class SlowKafka final : public publish::Publisher {
public:
    SlowKafka(ingress::asio::io_context& io, publish::Publisher& kafka, const std::string& slow)
        : io_{io}, kafka_{kafka}, slow_{slow} {}
    [[nodiscard]] ingress::Task<publish::Published> publish(publish::Record record,
                                                            SteadyTime until) override {
        if (record.value != slow_) co_return co_await kafka_.publish(record, until);
        ingress::Timer wait{io_, 20ms};
        co_await wait.async_wait(ingress::use_task);
        co_return publish::Published::not_acked;
    }

private:
    ingress::asio::io_context& io_;
    publish::Publisher& kafka_;
    const std::string& slow_;
};

ingress::Task<void> with_end(ingress::Task<void> task, bool& ended) {
    co_await std::move(task);
    ended = true;
}

ingress::Task<void> take_into(publish::Publisher& publisher, publish::Record record, SteadyTime until,
                              publish::Published& published) {
    published = co_await publisher.publish(record, until);
}

}  // namespace

Spilling::Spilling()
    : path_{std::filesystem::path{testing::TempDir()} / ("sluice_spill_" + std::to_string(::getpid()))},
      log_{{.program = "unit", .descriptor = ::open("/dev/null", O_WRONLY | O_CLOEXEC)}} {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directory(path_);
    restart();
}

Spilling::~Spilling() {
    journal.reset();
    std::filesystem::remove_all(path_);
}

void Spilling::restart(std::size_t max_bytes) {
    drain_.reset();
    publisher_.reset();
    journal.reset();
    folder.reset();
    metrics_ = std::make_unique<Metrics>();
    spill_metrics_ = std::make_unique<SpillMetrics>(*metrics_);
    folder = std::make_unique<Folder>(path_);
    backlog = std::make_unique<Backlog>();
    journal = std::make_unique<Journal>(*folder, max_bytes, *backlog, log_, *spill_metrics_);
    publisher_ = std::make_unique<SpillingPublisher>(
        io_, std::make_unique<SlowKafka>(io_, kafka, slow_), *journal, *backlog, deadlines_, clock_,
        [this](publish::Topic) { return largest; }, !journal->parts().empty(), *spill_metrics_);
    drain_ = std::make_unique<SpillDrain>(
        io_,
        SpillDrain::Edges{drains_to, [this](const dedup::Marker& marker) { confirmed.push_back(marker.key); },
                          [this] { needs_originals = true; }},
        *folder, *journal, *backlog, clock_, log_, *spill_metrics_);
    drain_->count_found();
    journal->start();
}

publish::Published Spilling::take(const std::string& key, const std::string& value) {
    return take({publish::Topic::events, key, value, {}, std::nullopt});
}

publish::Published Spilling::take(const publish::Record& record) {
    publish::Published published{};
    until_done(take_into(*publisher_, record, clock_.steady() + 30s, published));
    return published;
}

ingress::Task<void> Spilling::take_all(std::string key, std::vector<std::string> values,
                                       std::vector<publish::Published>& published) {
    ingress::Rendezvous all{io_.get_executor()};
    for (std::size_t i = 0; i < values.size(); ++i)
        all.start(take_into(*publisher_, {publish::Topic::events, key, values[i], {}, std::nullopt},
                            clock_.steady() + 30s, published[i]));
    co_await all.all_ended();
}

std::vector<publish::Published> Spilling::take_at_once(const std::string& key,
                                                       const std::vector<std::string>& values,
                                                       const std::string& slow) {
    slow_ = slow;
    std::vector<publish::Published> published(values.size());
    until_done(take_all(key, values, published));
    return published;
}

void Spilling::drain() {
    until_done(drain_->pass());
}

void Spilling::until_done(ingress::Task<void> task) {
    bool ended = false;
    io_.restart();
    const auto guard = ingress::asio::make_work_guard(io_);
    ingress::asio::co_spawn(io_.get_executor(), with_end(std::move(task), ended), ingress::asio::detached);
    while (!ended) io_.run_one();
}

std::vector<std::string> Spilling::in_kafka() const {
    std::vector<std::string> values;
    for (const auto& kept : drains_to.kept()) values.push_back(kept.value);
    return values;
}

std::vector<std::filesystem::path> Spilling::files() const {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator{path_})
        if (entry.path().filename() != "lock") files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

double Spilling::counted(const std::string& metric) const {
    const std::string text = metrics_->exposition();
    const auto at = text.find("\n" + metric + " ");
    if (at == std::string::npos) return -1;
    return std::strtod(text.c_str() + at + metric.size() + 2, nullptr);
}

}  // namespace sluice::spill
