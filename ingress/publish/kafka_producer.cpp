#include "ingress/publish/kafka_producer.hpp"

#include <span>
#include <utility>

#include "common/config/problems.hpp"
#include "common/failpoint.hpp"
#include "common/thread_name.hpp"
#include "ingress/publish/partition.hpp"

namespace sluice::publish {
namespace {

constexpr const char* producer_concern = "producer";
constexpr std::chrono::milliseconds look_every{100};
constexpr std::chrono::seconds warm_up_within{2};
constexpr std::chrono::seconds retry_after{1};
constexpr std::chrono::milliseconds flush_step{10};

/// Only this is durable; anything else may be, or not.
bool is_stored(const rd_kafka_message_t& message) {
    return message.err == RD_KAFKA_RESP_ERR_NO_ERROR && message.offset >= 0 &&
           rd_kafka_message_status(&message) == RD_KAFKA_MSG_STATUS_PERSISTED;
}

bool is_same(const kafka::TopicFacts& a, const kafka::TopicFacts& b) {
    return a.cluster_id == b.cluster_id && a.topic_id == b.topic_id &&
           a.max_message_bytes == b.max_message_bytes && a.partitions == b.partitions;
}

/// Whether a running producer can go on with the new facts.
bool same_log(const Topics& a, const Topics& b) {
    if (a.originals.has_value() != b.originals.has_value()) return false;
    return is_same(a.events, b.events) && is_same(a.quarantine, b.quarantine) &&
           (!a.originals || is_same(*a.originals, *b.originals));
}

}  // namespace

KafkaProducer::KafkaProducer(const config::KafkaSettings& settings, const Clock& clock, Log& log,
                             Metrics& metrics, Readiness& readiness, const Program& program)
    : settings_{settings},
      program_{program},
      clock_{clock},
      log_{log},
      readiness_{readiness},
      queued_gauge_{metrics.gauge(program.metric("queued_bytes"),
                                  "Bytes in the Kafka producer that have no delivery report yet")},
      fatal_counter_{metrics.counter(program.metric("producer_fatal_total"),
                                     "Producers that a fatal error made unusable; each one is replaced")} {
    readiness_.expect(producer_concern, "the producer waits for the topics' metadata");
    thread_ = std::thread{[this] { run(); }};
}

KafkaProducer::~KafkaProducer() {
    stopping_ = true;
    thread_.join();
}

void KafkaProducer::expect_outage() {
    was_ready_ = true;
    readiness_.set_degraded(producer_concern, "the producer waits for the topics' metadata");
}

void KafkaProducer::attach(ReportQueue& reports) {
    const std::unique_lock lock{mutex_};
    if (report_queues_.empty()) watch_.start(reports.io(), [this] { serve_reports(); });
    report_queues_.push_back(&reports);
}

void KafkaProducer::adopt(const Topics& topics) {
    const std::scoped_lock lock{wanted_mutex_};
    wanted_ = topics;
}

rd_kafka_topic_t& KafkaProducer::handle_of(Topic topic) const {
    if (topic == Topic::events) return *producer_->events;
    return topic == Topic::quarantine ? *producer_->quarantine : *producer_->originals;
}

std::expected<void, Published> KafkaProducer::send(const Record& record, std::unique_ptr<Delivery> delivery,
                                                   SteadyTime::duration within, SteadyTime now) {
    const std::shared_lock lock{mutex_};
    if (!producer_) return std::unexpected{Published::unavailable};
    if (record.topic == Topic::originals && !producer_->originals)
        return std::unexpected{Published::unavailable};
    TopicState& topic = state_of(record.topic);
    const std::size_t bytes = size_of(record);
    if (bytes > topic.max_record) return std::unexpected{Published::too_large};
    if (queued_bytes_.load(std::memory_order_relaxed) + static_cast<std::int64_t>(bytes) >
        static_cast<std::int64_t>(most_queued_bytes))
        return std::unexpected{Published::shed};
    const std::int32_t partition = partition_of(record.key, topic.partitions);
    PartitionQueue& queue = *topic.queues[static_cast<std::size_t>(partition)];
    delivery->queue = &queue;
    delivery->bytes = bytes;
    delivery->topic = record.topic;
    Outgoing outgoing{record, partition, std::move(delivery)};
    // Counted first: the report may be there before offer returns.
    queued_bytes_.fetch_add(static_cast<std::int64_t>(bytes), std::memory_order_relaxed);
    auto offered = queue.offer(*producer_->client, handle_of(record.topic), outgoing, within, now);
    if (!offered) queued_bytes_.fetch_sub(static_cast<std::int64_t>(bytes), std::memory_order_relaxed);
    return offered;
}

std::optional<std::size_t> KafkaProducer::largest_record(Topic topic) {
    const std::shared_lock lock{mutex_};
    const std::size_t most = state_of(topic).max_record;
    return most > 0 ? std::optional{most} : std::nullopt;
}

bool KafkaProducer::flush(Milliseconds within) {
    const SteadyTime end = clock_.steady() + within;
    while (queued_bytes_.load() > 0 && clock_.steady() < end) std::this_thread::sleep_for(flush_step);
    return queued_bytes_.load() == 0;
}

void KafkaProducer::run() {
    name_this_thread("producer");
    while (!stopping_) {
        follow_topics();
        std::this_thread::sleep_for(look_every);
        queued_gauge_.Set(static_cast<double>(queued_bytes_.load()));
        if (fatal_.exchange(false)) close_producer();
    }
    close_producer();
}

void KafkaProducer::serve_reports() {
    {
        const std::shared_lock lock{mutex_};
        if (!producer_) return;
        rd_kafka_poll(producer_->client.get(), 0);
        settle_reports();
    }
    for (ReportQueue* reports : std::span{report_queues_}.subspan(1)) reports->hand_over();
    report_queues_.front()->wake_waiters();  // this is its thread
}

void KafkaProducer::follow_topics() {
    {
        const std::scoped_lock lock{wanted_mutex_};
        if (wanted_) {
            const bool goes_on = producer_ && followed_ && same_log(*followed_, *wanted_);
            followed_ = std::exchange(wanted_, std::nullopt);
            if (goes_on) return;
            try_again_at_ = {};
            warming_.reset();
        } else if (producer_ || !followed_) {
            return;
        }
    }
    if (clock_.steady() < try_again_at_) return;
    try_again_at_ = clock_.steady() + retry_after;
    if (producer_) close_producer();
    open(*followed_);
}

void KafkaProducer::open(const Topics& topics) {
    try {
        // Kept until it has its metadata: a client that waits for its token would begin anew each time.
        if (!warming_) warming_ = make_producer(settings_, program_, topics, *this);
    } catch (const config::Refused& refused) {
        say_unusable(refused.what());
        return;
    }
    if (!warm_up(*warming_, warm_up_within)) {
        say_unusable("the producer receives no metadata from " + settings_.brokers.front());
        return;
    }
    std::unique_ptr<ProducerClient> made = std::move(warming_);
    const auto adapt = [&](TopicState& state, const kafka::TopicFacts& facts) {
        state.partitions = facts.partitions;
        state.max_record = static_cast<std::size_t>(facts.max_message_bytes);
        while (state.queues.size() < static_cast<std::size_t>(facts.partitions))
            state.queues.push_back(std::make_unique<PartitionQueue>(batch_bytes(topics)));
    };
    watch_.listen_to(*made->client);
    log_.info("producer_ready", {{"topic", std::string_view{settings_.topic}},
                                 {"partitions", std::int64_t{topics.events.partitions}}});
    was_ready_ = true;
    readiness_.set_ready(producer_concern);  // before any thread can serve a report that says otherwise
    {
        const std::unique_lock lock{mutex_};
        adapt(state_of(Topic::events), topics.events);
        adapt(state_of(Topic::quarantine), topics.quarantine);
        if (topics.originals) adapt(state_of(Topic::originals), *topics.originals);
        producer_ = std::move(made);
    }
    watch_.wake();  // for reports from before they could be served, such as a fatal error
}

void KafkaProducer::close_producer() {
    std::unique_ptr<ProducerClient> old;
    std::vector<std::unique_ptr<Delivery>> given_up;
    {
        const std::unique_lock lock{mutex_};
        old = std::move(producer_);
        for (TopicState& topic : topics_)
            for (const auto& queue : topic.queues) queue->abandon(clock_.steady(), given_up);
    }
    release(given_up);
    hand_over();
    if (!old) return;
    say_unusable("the producer is being replaced");
    rd_kafka_purge(old->client.get(), RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT);
    // Purged records still get their reports; no request waits for them longer than this takes.
    while (rd_kafka_outq_len(old->client.get()) > 0) {
        rd_kafka_poll(old->client.get(), static_cast<int>(look_every.count()));
        settle_reports();
        hand_over();
    }
    fatal_ = false;  // what the old one still had to say
}

void KafkaProducer::reported(const rd_kafka_message_t& message) noexcept {
    std::unique_ptr<Delivery> delivery{static_cast<Delivery*>(message._private)};
    const bool lost = FP("ingress.before_ack_handled");
    delivery->outcome = is_stored(message) && !lost ? Published::stored : Published::not_acked;
    if (message.err == RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE) delivery->outcome = Published::too_large;
    reports_.push_back(std::move(delivery));
}

/// As with the topics: a process that has published once answers 503 itself until it can again.
void KafkaProducer::say_unusable(std::string why) {
    if (was_ready_)
        readiness_.set_degraded(producer_concern, std::move(why));
    else
        readiness_.set_unready(producer_concern, std::move(why));
}

void KafkaProducer::failed_fatally(std::string why) noexcept {
    say_unusable("librdkafka reports a fatal error: " + why);
    log_.error("producer_fatal", {{"error", std::string_view{why}}});
    fatal_counter_.Increment();
    fatal_ = true;
}

void KafkaProducer::settle_reports() {
    std::size_t first = 0;
    while (first < reports_.size()) {
        std::size_t last = first + 1;
        while (last < reports_.size() && reports_[last]->queue == reports_[first]->queue) ++last;
        settle(first, last);
        first = last;
    }
    release(reports_);
}

void KafkaProducer::settle(std::size_t first, std::size_t last) {
    std::size_t bytes = 0;
    for (std::size_t i = first; i < last; ++i) bytes += reports_[i]->bytes;
    PartitionQueue& queue = *reports_[first]->queue;
    std::vector<std::unique_ptr<Delivery>> failed;
    if (producer_) {
        rd_kafka_topic_t& topic = handle_of(reports_[first]->topic);
        queue.settled(*producer_->client, topic, last - first, bytes, clock_.steady(), failed);
    } else {
        queue.settled_for_good(last - first, bytes, clock_.steady());
    }
    release(failed);
}

void KafkaProducer::release(std::vector<std::unique_ptr<Delivery>>& done) {
    if (done.empty()) return;
    for (auto& delivery : done) {
        queued_bytes_.fetch_sub(static_cast<std::int64_t>(delivery->bytes), std::memory_order_relaxed);
        ReportQueue* reports = delivery->reports;
        reports->add(std::move(delivery));
    }
    done.clear();
}

void KafkaProducer::hand_over() {
    for (ReportQueue* reports : report_queues_) reports->hand_over();
}

}  // namespace sluice::publish
