#include "ingress/outlet/outlet.hpp"

#include <atomic>
#include <future>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>

#include "common/record/marker_key.hpp"
#include "common/thread_name.hpp"
#include "ingress/connection/deadlines.hpp"
#include "ingress/dedup/redis_deduplicator.hpp"
#include "ingress/outlet/deliver.hpp"
#include "ingress/publish/kafka_publisher.hpp"
#include "ingress/publish/topic_watch.hpp"

namespace sluice::outlet {
namespace {

using ingress::Task;
using ingress::use_task;
using Done = std::promise<std::vector<Kept>>;

std::unique_ptr<dedup::Deduplicator> deduplicator_of(ingress::asio::io_context& io,
                                                     const config::RedisSettings& redis, const Clock& clock,
                                                     Log& log, Metrics& metrics, const Program& program) {
    if (redis.servers.empty()) return std::make_unique<dedup::NoDeduplicator>();
    auto made = std::make_unique<dedup::RedisDeduplicator>(io, redis, clock, log, metrics, program);
    made->start();
    return made;
}

}  // namespace

/// What the header hides: everything of the io_context. Whole before its threads start, so that its
/// destructor finds the order that they need also where one cannot be started.
class Outlet::Works {
public:
    Works(const config::KafkaSettings& kafka, const config::RedisSettings& redis, const Program& program,
          Log& log, Metrics& metrics, Readiness& readiness, const Clock& clock)
        : redis_{redis},
          clock_{clock},
          deduplicator_{deduplicator_of(io_, redis, clock, log, metrics, program)},
          producer_{
              std::make_unique<publish::KafkaProducer>(kafka, clock, log, metrics, readiness, program)} {
        auto late_ack = [this](const dedup::Marker& marker) { deduplicator_->confirm(marker); };
        publisher_ = std::make_unique<publish::KafkaPublisher>(io_, *producer_, deadlines_, clock, late_ack);
    }

    ~Works() {
        is_closing_ = true;
        watch_.reset();
        if (thread_.joinable()) thread_.join();
    }
    Works(const Works&) = delete;
    Works& operator=(const Works&) = delete;

    void start(const config::KafkaSettings& kafka, const Program& program, Log& log, Metrics& metrics,
               Readiness& readiness) {
        watch_ = std::make_unique<publish::TopicWatch>(
            kafka, log, metrics, readiness, wants_originals_,
            [this](const std::optional<publish::Topics>& topics) { topics_seen(topics); }, program);
        const ingress::Executor executor = io_.get_executor();
        ingress::asio::co_spawn(executor, tick(), ingress::asio::detached);
        thread_ = std::thread{[this] {
            name_this_thread("outlet");
            io_.run();
        }};
    }

    [[nodiscard]] std::vector<Kept> deliver(std::span<const Parcel> parcels, Milliseconds within) {
        const SteadyTime until = clock_.steady() + within;
        Done done;
        auto kept = done.get_future();
        ++deliveries_;
        const ingress::Executor executor = io_.get_executor();
        ingress::asio::co_spawn(executor, one(parcels, until, std::move(done)), ingress::asio::detached);
        return kept.get();
    }

private:
    Task<void> one(std::span<const Parcel> parcels, SteadyTime until, Done done) {
        const Ways ways{io_, *deduplicator_, *publisher_};
        auto kept = co_await outlet::deliver(ways, parcels, until);
        done.set_value(std::move(kept));
        --deliveries_;
    }

    /// Ends the thread, too: when it closes and all deliveries have ended.
    Task<void> tick() {
        ingress::Timer timer{io_};
        while (!is_closing_ || deliveries_ > 0) {
            timer.expires_after(connection::Deadlines::tick);
            co_await timer.async_wait(use_task);
            deadlines_.sweep(is_closing_ ? SteadyTime::max() : clock_.steady());
        }
        static_assert(connection::Deadlines::tick > 2 * dedup::RedisConnection::told_within);
        timer.expires_after(connection::Deadlines::tick);  // the last confirmations leave meanwhile
        co_await timer.async_wait(use_task);
        io_.stop();
    }

    /// Without the topic no marker counts: the record it is about is gone.
    void topics_seen(const std::optional<publish::Topics>& topics) {
        std::string epoch;
        if (topics) {
            producer_->adopt(*topics);
            epoch = record::marker_epoch(topics->events.cluster_id, topics->events.topic_id, redis_.epoch);
        }
        if (epoch == epoch_) return;
        epoch_ = epoch;
        ingress::asio::post(io_, [this, epoch] { deduplicator_->use_epoch(epoch); });
    }

    const config::RedisSettings& redis_;
    const Clock& clock_;
    connection::Deadlines deadlines_;
    std::atomic<bool> is_closing_{false};
    std::atomic<int> deliveries_{0};  // that have not ended
    // Coroutine frames die with it: after what uses it, before what they touch.
    ingress::asio::io_context io_{BOOST_ASIO_CONCURRENCY_HINT_UNSAFE_IO};  // no other thread touches its I/O
    std::unique_ptr<dedup::Deduplicator> deduplicator_;
    std::unique_ptr<publish::Publisher> publisher_;  // made with the producer and outlives it
    std::unique_ptr<publish::KafkaProducer> producer_;
    const std::atomic<bool> wants_originals_{false};
    std::string epoch_;  // the watch's thread
    std::unique_ptr<publish::TopicWatch> watch_;
    std::thread thread_;
};

Outlet::Outlet(const config::KafkaSettings& kafka, const config::RedisSettings& redis, const Program& program,
               Log& log, Metrics& metrics, Readiness& readiness, const Clock& clock)
    : headers_{kafka.headers},
      works_{std::make_unique<Works>(kafka, redis, program, log, metrics, readiness, clock)} {
    works_->start(kafka, program, log, metrics, readiness);
}

Outlet::~Outlet() = default;

std::vector<Kept> Outlet::deliver(std::span<const Parcel> parcels, Milliseconds within) {
    return works_->deliver(parcels, within);
}

}  // namespace sluice::outlet
