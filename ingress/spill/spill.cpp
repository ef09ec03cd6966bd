#include "ingress/spill/spill.hpp"

#include <algorithm>
#include <utility>

#include <boost/asio/co_spawn.hpp>

#include "common/thread_name.hpp"
#include "ingress/publish/kafka_publisher.hpp"

namespace sluice::spill {
namespace {

constexpr std::chrono::milliseconds look_every{20};
constexpr std::chrono::seconds moves_within{3};  // a pass comes a second after one that failed

}  // namespace

Spill::Spill(const config::SpillSettings& settings, const Clock& clock, Log& log, Metrics& metrics)
    : clock_{clock},
      log_{log},
      metrics_{metrics},
      folder_{settings.path},
      journal_{folder_, static_cast<std::size_t>(settings.max), backlog_, log, metrics_},
      found_any_{!journal_.parts().empty()} {
    metrics_.max_bytes.Set(static_cast<double>(settings.max));
    metrics.before_exposition([this] {
        metrics_.records.Set(static_cast<double>(records()));
        metrics_.bytes.Set(static_cast<double>(journal_.bytes()));
    });
}

std::unique_ptr<publish::Publisher> Spill::over(std::unique_ptr<publish::Publisher> kafka,
                                                ingress::asio::io_context& io,
                                                connection::Deadlines& deadlines,
                                                publish::KafkaProducer& producer) {
    auto largest = [&producer](publish::Topic topic) { return producer.largest_record(topic); };
    return std::make_unique<SpillingPublisher>(io, std::move(kafka), journal_, backlog_, deadlines, clock_,
                                               std::move(largest), found_any_, metrics_);
}

void Spill::connect(publish::KafkaProducer& producer, Confirm confirm,
                    std::function<void()> needs_originals) {
    publisher_ = std::make_unique<publish::KafkaPublisher>(io_, producer, deadlines_, clock_, confirm);
    drain_ = std::make_unique<SpillDrain>(
        io_, SpillDrain::Edges{*publisher_, std::move(confirm), std::move(needs_originals)}, folder_,
        journal_, backlog_, clock_, log_, metrics_);
}

void Spill::start() {
    journal_.start();
    ingress::asio::co_spawn(io_.get_executor(), tick(), rethrow);
    ingress::asio::co_spawn(io_.get_executor(), drain_->run(), rethrow);
    thread_ = std::thread{[this] {
        name_this_thread("spill-drain");
        drain_->count_found();
        io_.run();
    }};
}

void Spill::stop() {
    is_stopping_ = true;
    if (drain_) drain_->stop();
    if (thread_.joinable()) thread_.join();
    journal_.stop();
}

/// Ends the thread, too.
ingress::Task<void> Spill::tick() {
    ingress::Timer timer{io_};
    while (!is_stopping_ || !drain_->is_idle()) {
        timer.expires_after(connection::Deadlines::tick);
        co_await timer.async_wait(ingress::use_task);
        deadlines_.sweep(is_stopping_ ? SteadyTime::max() : clock_.steady());
    }
    io_.stop();
}

std::size_t Spill::records() const {
    const bool may_have_more = backlog_.leaves_some_out() || (found_any_ && backlog_.holds_all());
    return std::max(backlog_.records(), std::size_t{may_have_more});
}

std::size_t Spill::finish(Milliseconds within) {
    const SteadyTime end = clock_.steady() + within;
    std::size_t left = records();
    SteadyTime moved_at = clock_.steady();
    while (left > 0 && clock_.steady() < end && clock_.steady() - moved_at < moves_within) {
        std::this_thread::sleep_for(look_every);
        const std::size_t now = records();
        if (std::exchange(left, now) != now) moved_at = clock_.steady();
    }
    return left;
}

}  // namespace sluice::spill
